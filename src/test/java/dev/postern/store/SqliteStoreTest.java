package dev.postern.store;

import java.nio.file.Path;

class SqliteStoreTest extends StoreContract {

    @Override
    TestDatabases.Opener database(Path home) {
        return TestDatabases.sqlite(home);
    }
}
