package dev.postern.acceptance;

import dev.postern.store.Databases;
import java.nio.file.Path;

class SqliteEventRepositoryTest extends EventRepositoryContract {

    @Override
    Databases.Opener database(Path home) {
        return Databases.sqlite(home);
    }
}
