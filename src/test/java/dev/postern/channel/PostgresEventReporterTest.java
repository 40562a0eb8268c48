package dev.postern.channel;

import dev.postern.store.TestDatabases;
import java.nio.file.Path;

class PostgresEventReporterTest extends EventReporterContract {

    @Override
    TestDatabases.Opener database(Path home) {
        return TestDatabases.postgres(home);
    }
}
