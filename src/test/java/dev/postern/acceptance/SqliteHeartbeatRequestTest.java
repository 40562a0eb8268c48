package dev.postern.acceptance;

import dev.postern.store.Databases;
import java.nio.file.Path;

class SqliteHeartbeatRequestTest extends HeartbeatRequestContract {

    @Override
    Databases.Opener database(Path home) {
        return Databases.sqlite(home);
    }
}
