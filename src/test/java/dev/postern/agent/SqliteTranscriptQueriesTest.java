package dev.postern.agent;

import dev.postern.store.TestDatabases;
import java.nio.file.Path;

class SqliteTranscriptQueriesTest extends TranscriptQueriesContract {

    @Override
    TestDatabases.Opener database(Path home) {
        return TestDatabases.sqlite(home);
    }
}
