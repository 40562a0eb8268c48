package dev.postern.channel;

import dev.postern.store.TestDatabases;
import java.nio.file.Path;

class PostgresOutboxTest extends OutboxContract {

    @Override
    TestDatabases.Opener database(Path home) {
        return TestDatabases.postgres(home);
    }
}
