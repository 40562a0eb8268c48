package dev.postern.acceptance;

import dev.postern.store.Databases;
import java.nio.file.Path;

class PostgresHeartbeatRequestTest extends HeartbeatRequestContract {

    @Override
    Databases.Opener database(Path home) {
        return Databases.postgres(home);
    }
}
