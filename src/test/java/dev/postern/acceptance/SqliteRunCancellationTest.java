package dev.postern.acceptance;

import dev.postern.store.TestDatabases;
import java.nio.file.Path;

class SqliteRunCancellationTest extends RunCancellationContract {

    @Override
    TestDatabases.Opener database(Path home) {
        return TestDatabases.sqlite(home);
    }
}
