package dev.postern.it.standalone;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * An extension, for a static field, that runs two PostgreSQL servers of Debian for one class: a primary, and a standby that has
 * each commit before its client is told.
 */
final class PostgresPair implements PostgresDatabases, BeforeAllCallback, AfterAllCallback {

    private static final Duration LONGEST = Duration.ofSeconds(90);

    private final DebianPostgres debianPostgres = new DebianPostgres();
    private PostgresServer primary = new PostgresServer(debianPostgres);
    private PostgresServer standby = new PostgresServer(debianPostgres);

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        primary.beforeAll(context);
        addStandby();
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        waitFor("''", primary);
        standby.afterAll(context);
        primary.afterAll(context);
    }

    @Override
    public void database(String name) throws SQLException {
        primary.database(name);
    }

    /** A URL that leads to the primary, whichever of both it is. */
    @Override
    public String url(String database) {
        String both = standby.url(database).replaceFirst("//", "//" + primary.address() + ",");
        return both + "?targetServerType=primary";
    }

    @Override
    public List<String> column(String database, String sql) throws SQLException {
        return primary.column(database, sql);
    }

    /** SIGKILL for all processes of the primary, when it has a standby. */
    void kill() throws IOException, SQLException, InterruptedException {
        if (!hasStandby()) {
            addStandby();
        }
        primary.kill();
    }

    /** Makes the standby the primary. It waits for no other. */
    void failOver() throws SQLException {
        waitFor("''", standby);
        standby.administer("SELECT pg_promote()");
        PostgresServer killed = primary;
        primary = standby;
        standby = killed;
    }

    /** Makes the other server a standby of the primary, with a copy of its files. */
    private void addStandby() throws IOException, SQLException {
        standby.startWith(data -> debianPostgres.copy(primary.port(), data));
        waitFor("'*'", primary);
        await().atMost(LONGEST).until(this::hasStandby);
    }

    private boolean hasStandby() throws SQLException {
        return primary.column("postgres", "SELECT sync_state FROM pg_stat_replication")
                .equals(List.of("sync"));
    }

    /** Has the commits of {@code server} wait for {@code standbys}. */
    private static void waitFor(String standbys, PostgresServer server) throws SQLException {
        server.administer("ALTER SYSTEM SET synchronous_standby_names = " + standbys);
        server.administer("SELECT pg_reload_conf()");
    }
}
