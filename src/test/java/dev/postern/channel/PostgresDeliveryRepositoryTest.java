package dev.postern.channel;

import dev.postern.store.Databases;
import java.nio.file.Path;

class PostgresDeliveryRepositoryTest extends DeliveryRepositoryContract {

    @Override
    Databases.Opener database(Path home) {
        return Databases.postgres(home);
    }
}
