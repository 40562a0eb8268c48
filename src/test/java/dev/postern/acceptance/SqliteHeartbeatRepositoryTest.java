package dev.postern.acceptance;

import dev.postern.store.TestDatabases;
import java.nio.file.Path;

class SqliteHeartbeatRepositoryTest extends HeartbeatRepositoryContract {

    @Override
    TestDatabases.Opener database(Path home) {
        return TestDatabases.sqlite(home);
    }
}
