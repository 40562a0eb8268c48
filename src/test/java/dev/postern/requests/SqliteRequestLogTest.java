package dev.postern.requests;

import dev.postern.store.TestDatabases;
import java.nio.file.Path;

class SqliteRequestLogTest extends RequestLogContract {

    @Override
    TestDatabases.Opener database(Path home) {
        return TestDatabases.sqlite(home);
    }
}
