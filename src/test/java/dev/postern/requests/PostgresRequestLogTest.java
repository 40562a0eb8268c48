package dev.postern.requests;

import dev.postern.store.TestDatabases;
import java.nio.file.Path;

class PostgresRequestLogTest extends RequestLogContract {

    @Override
    TestDatabases.Opener database(Path home) {
        return TestDatabases.postgres(home);
    }
}
