package dev.postern.store;

import java.nio.file.Path;

class SqliteStoreTest extends StoreContract {

    @Override
    Databases.Opener database(Path home) {
        return Databases.sqlite(home);
    }
}
