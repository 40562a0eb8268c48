package dev.postern.channel;

import dev.postern.store.Databases;
import java.nio.file.Path;

class PostgresOutboxTest extends OutboxContract {

    @Override
    Databases.Opener database(Path home) {
        return Databases.postgres(home);
    }
}
