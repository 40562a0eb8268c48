package dev.postern.channel;

import dev.postern.store.Databases;
import java.nio.file.Path;

class SqliteDeliveryOperationsTest extends DeliveryOperationsContract {

    @Override
    Databases.Opener database(Path home) {
        return Databases.sqlite(home);
    }
}
