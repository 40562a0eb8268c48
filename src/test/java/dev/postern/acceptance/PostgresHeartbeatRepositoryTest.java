package dev.postern.acceptance;

import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

@Tag("long")
class PostgresHeartbeatRepositoryTest extends HeartbeatRepositoryContract {

    @Override
    TestDatabases.Opener database(Path home) {
        return TestDatabases.postgres(home);
    }
}
