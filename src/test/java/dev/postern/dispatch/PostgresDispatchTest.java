package dev.postern.dispatch;

import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
class PostgresDispatchTest extends DispatchContract {

    @TempDir
    Path home;

    @Override
    DispatchFixture scenario() {
        return new DispatchFixture(home, TestDatabases.postgres(home));
    }
}
