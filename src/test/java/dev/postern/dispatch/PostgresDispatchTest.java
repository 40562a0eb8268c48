package dev.postern.dispatch;

import dev.postern.store.Databases;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class PostgresDispatchTest extends DispatchContract {

    @TempDir
    Path home;

    @Override
    Scenario scenario() {
        return new Scenario(home, Databases.postgres(home));
    }
}
