package dev.postern.acceptance;

import dev.postern.store.Databases;
import java.nio.file.Path;

class PostgresRunCancellationTest extends RunCancellationContract {

    @Override
    Databases.Opener database(Path home) {
        return Databases.postgres(home);
    }
}
