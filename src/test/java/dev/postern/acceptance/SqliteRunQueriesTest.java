package dev.postern.acceptance;

import dev.postern.store.Databases;
import java.nio.file.Path;

class SqliteRunQueriesTest extends RunQueriesContract {

    @Override
    Databases.Opener database(Path home) {
        return Databases.sqlite(home);
    }
}
