package dev.postern.acceptance;

import dev.postern.store.TestDatabases;
import java.nio.file.Path;

class PostgresSessionQueriesTest extends SessionQueriesContract {

    @Override
    TestDatabases.Opener database(Path home) {
        return TestDatabases.postgres(home);
    }
}
