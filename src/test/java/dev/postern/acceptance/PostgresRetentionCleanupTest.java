package dev.postern.acceptance;

import dev.postern.store.Databases;
import java.nio.file.Path;

class PostgresRetentionCleanupTest extends RetentionCleanupContract {

    @Override
    Databases.Opener database(Path home) {
        return Databases.postgres(home);
    }
}
