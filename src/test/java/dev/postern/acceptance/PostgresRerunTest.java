package dev.postern.acceptance;

import dev.postern.store.Databases;
import java.nio.file.Path;

class PostgresRerunTest extends RerunContract {

    @Override
    Databases.Opener database(Path home) {
        return Databases.postgres(home);
    }
}
