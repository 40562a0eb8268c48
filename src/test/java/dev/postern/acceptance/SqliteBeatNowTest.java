package dev.postern.acceptance;

import dev.postern.store.Databases;
import java.nio.file.Path;

class SqliteBeatNowTest extends BeatNowContract {

    @Override
    Databases.Opener database(Path home) {
        return Databases.sqlite(home);
    }
}
