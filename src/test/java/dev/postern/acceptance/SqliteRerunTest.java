package dev.postern.acceptance;

import dev.postern.store.TestDatabases;
import java.nio.file.Path;

class SqliteRerunTest extends RerunContract {

    @Override
    TestDatabases.Opener database(Path home) {
        return TestDatabases.sqlite(home);
    }
}
