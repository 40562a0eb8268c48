package dev.postern.acceptance;

import dev.postern.store.Databases;
import java.nio.file.Path;

class SqliteRunRepositoryTest extends RunRepositoryContract {

    @Override
    Databases.Opener database(Path home) {
        return Databases.sqlite(home);
    }
}
