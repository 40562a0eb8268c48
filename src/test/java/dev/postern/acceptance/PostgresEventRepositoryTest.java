package dev.postern.acceptance;

import dev.postern.store.Databases;
import java.nio.file.Path;

class PostgresEventRepositoryTest extends EventRepositoryContract {

    @Override
    Databases.Opener database(Path home) {
        return Databases.postgres(home);
    }
}
