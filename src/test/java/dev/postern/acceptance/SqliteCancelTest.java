package dev.postern.acceptance;

import dev.postern.store.Databases;
import java.nio.file.Path;

class SqliteCancelTest extends CancelContract {

    @Override
    Databases.Opener database(Path home) {
        return Databases.sqlite(home);
    }
}
