package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class PostgresStoreTest extends StoreContract {

    private static final InstantSource CLOCK = InstantSource.system();

    @Override
    Databases.Opener database(Path home) {
        return Databases.postgres(home);
    }

    @Test
    void refusesAHomeThatIsInUseHoweverItsDatabaseIsReached() throws Exception {
        Path shared = home.resolve("shared");
        DataSource source = Databases.postgresSource(Databases.newPostgresUrl());
        try (Store first = Store.open(source, shared, "first", CLOCK)) {
            assertThatThrownBy(() -> Store.open(source, shared, "second", CLOCK))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("the home [" + shared + "] is in use by another Postern (process "
                            + ProcessHandle.current().pid() + ")");
            assertThatThrownBy(() -> Store.open(shared, "second", CLOCK)).hasMessageContaining("is in use");
            Store.open(source, home.resolve("other"), "third", CLOCK).close();
            assertThat(first.figures().failed()).isZero();
        }
        Store.open(source, shared, "second", CLOCK).close();
    }
}
