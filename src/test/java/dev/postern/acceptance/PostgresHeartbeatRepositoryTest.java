package dev.postern.acceptance;

import dev.postern.store.TestDatabases;
import java.nio.file.Path;

class PostgresHeartbeatRepositoryTest extends HeartbeatRepositoryContract {

    @Override
    TestDatabases.Opener database(Path home) {
        return TestDatabases.postgres(home);
    }
}
