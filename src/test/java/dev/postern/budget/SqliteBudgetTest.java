package dev.postern.budget;

import dev.postern.store.TestDatabases;
import java.nio.file.Path;

class SqliteBudgetTest extends BudgetContract {

    @Override
    TestDatabases.Opener database(Path home) {
        return TestDatabases.sqlite(home);
    }

    @Override
    boolean isShared() {
        return false;
    }
}
