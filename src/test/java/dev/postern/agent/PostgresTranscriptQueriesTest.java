package dev.postern.agent;

import dev.postern.store.Databases;
import java.nio.file.Path;

class PostgresTranscriptQueriesTest extends TranscriptQueriesContract {

    @Override
    Databases.Opener database(Path home) {
        return Databases.postgres(home);
    }
}
