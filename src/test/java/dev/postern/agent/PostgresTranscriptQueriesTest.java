package dev.postern.agent;

import dev.postern.store.TestDatabases;
import java.nio.file.Path;

class PostgresTranscriptQueriesTest extends TranscriptQueriesContract {

    @Override
    TestDatabases.Opener database(Path home) {
        return TestDatabases.postgres(home);
    }
}
