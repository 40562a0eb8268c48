package dev.postern.channel.vendor;

import dev.postern.store.TestDatabases;
import dev.postern.store.TestDatabases.Opener;
import java.nio.file.Path;

class SqliteSentMailTableTest extends SentMailTableContract {

    @Override
    Opener database(Path directory) {
        return TestDatabases.sqlite(directory);
    }
}
