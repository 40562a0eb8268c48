package dev.postern.budget;

import dev.postern.store.TestDatabases;
import java.nio.file.Path;

class SqliteSpendingTest extends SpendingContract {

    @Override
    TestDatabases.Opener database(Path home) {
        return TestDatabases.sqlite(home);
    }
}
