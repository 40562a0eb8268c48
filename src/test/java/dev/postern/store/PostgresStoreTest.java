package dev.postern.store;

import java.nio.file.Path;

class PostgresStoreTest extends StoreContract {

    @Override
    Databases.Opener database(Path home) {
        return Databases.postgres(home);
    }
}
