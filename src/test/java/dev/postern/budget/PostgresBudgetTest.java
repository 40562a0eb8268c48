package dev.postern.budget;

import dev.postern.store.TestDatabases;
import java.nio.file.Path;

class PostgresBudgetTest extends BudgetContract {

    @Override
    TestDatabases.Opener database(Path home) {
        return TestDatabases.postgres(home);
    }

    @Override
    boolean isShared() {
        return true;
    }
}
