package dev.postern.acceptance;

import dev.postern.store.Databases;
import java.nio.file.Path;

class SqliteRerunTest extends RerunContract {

    @Override
    Databases.Opener database(Path home) {
        return Databases.sqlite(home);
    }
}
