package dev.postern.statistics;

import dev.postern.store.TestDatabases;
import java.nio.file.Path;

class SqliteCountRecorderTest extends CountRecorderContract {

    @Override
    TestDatabases.Opener database(Path home) {
        return TestDatabases.sqlite(home);
    }

    @Override
    String refusal() {
        return "CREATE TRIGGER away BEFORE INSERT ON period_count BEGIN SELECT RAISE(ABORT, 'away'); END";
    }

    @Override
    String endOfRefusal() {
        return "DROP TRIGGER away";
    }
}
