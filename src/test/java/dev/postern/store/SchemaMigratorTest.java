package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postern.model.Secret;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of the schema in a home that other versions have used. */
class SchemaMigratorTest {

    private static final InstantSource CLOCK = InstantSource.system();

    /** The bound of a wait that should take two seconds; the rest is for a slow machine. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

    /** The files of programs of three successive versions. */
    private static final List<String> BEFORE = SchemaMigrator.files().subList(0, 8);

    private static final List<String> ADDS = and(BEFORE, "test-adds.sql");

    private static final List<String> DROPS = and(ADDS, "test-drops.sql");

    @TempDir
    Path home;

    @Test
    void refusesASchemaOfANewerVersion() throws Exception {
        change("INSERT INTO schema_version VALUES (99, 'V099__later.sql', 'ffffffff', 1, NULL)");

        assertThatThrownBy(() -> Store.open(home, "test", CLOCK))
                .isInstanceOf(StoreException.class)
                .hasMessageMatching(
                        "the database has schema 99, made by a newer version, and needs a program that knows schema 99;"
                                + " this one knows schema \\d+: run the newer version, or restore a backup");
    }

    @Test
    void runsNoStepThatANodeCannotWorkWithWhileItIsAlive() throws Exception {
        String url = TestDatabases.newPostgresUrl();
        migrate(url, BEFORE);
        enter(url, "older", "clock_timestamp()");

        migrate(url, ADDS);
        assertThatThrownBy(() -> migrate(url, DROPS))
                .isInstanceOf(StoreException.class)
                .hasMessage(
                        "the schema's step [test-drops.sql] needs programs that know schema 9, and older ones are at"
                                + " work on this database (nodes: 1); end them first, or wait 2 min where they have died");
        change(url, "DELETE FROM node");
        enter(url, "died", "clock_timestamp() - interval '3 minutes'");

        migrate(url, DROPS);
    }

    @Test
    void letsAProgramStartOnANewerSchemaThatWasMadeForItToo() throws Exception {
        String url = TestDatabases.newPostgresUrl();
        migrate(url, ADDS);
        migrate(url, BEFORE);

        migrate(url, DROPS);
        migrate(url, ADDS);
        assertThatThrownBy(() -> migrate(url, BEFORE))
                .isInstanceOf(StoreException.class)
                .hasMessage(
                        "the database has schema 10, made by a newer version, and needs a program that knows schema 9;"
                                + " this one knows schema 8: run the newer version, or restore a backup");
    }

    @Test
    void letsAnOlderProgramGoOnWhileANewerOneAddsToTheSchema() throws Exception {
        String url = TestDatabases.newPostgresUrl();
        try (Store older = Store.open(url, "postgres", new Secret("postgres"), home, "test", CLOCK)) {
            String enter = "INSERT INTO node (id, started_at, seen_at, knows_schema) VALUES (?, 1, 1, ?)";
            older.writeAndWait(sql -> sql.update(enter, "before", Store.knownSchema()));

            migrate(url, and(SchemaMigrator.files(), "test-adds.sql"));

            older.writeAndWait(sql -> sql.update(enter, "after", Store.knownSchema()));
            List<String> nodes = older.read(sql -> sql.query("SELECT id FROM node", row -> row.text("id")));
            assertThat(nodes).containsExactlyInAnyOrder("before", "after");
        }
    }

    @Test
    void givesWayWhileAnotherSessionHoldsATable() throws Exception {
        String url = TestDatabases.newPostgresUrl();
        migrate(url, BEFORE);
        try (Connection reader = TestDatabases.postgresSource(url).getConnection();
                Statement statement = reader.createStatement()) {
            reader.setAutoCommit(false);
            statement.execute("SELECT id FROM run");

            CompletableFuture<Void> migration = CompletableFuture.runAsync(() -> {
                try {
                    migrate(url, SchemaMigrator.files());
                } catch (StoreException e) {
                    throw new CompletionException(e);
                }
            });
            await().until(() -> migration.isDone() || waitsForALock(url));
            CompletableFuture<Integer> write = CompletableFuture.supplyAsync(() -> touchRuns(url));

            assertThat(migration)
                    .failsWithin(LONGEST_WAIT)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOf(StoreUnavailableException.class)
                    .withMessage("the tables can't be brought to this version now, because another session holds one of"
                            + " them, as a dump or an open transaction does; wait for its end, or end it:"
                            + " pg_stat_activity shows it");
            assertThat(write).succeedsWithin(LONGEST_WAIT);
        }

        migrate(url, SchemaMigrator.files());
    }

    @ParameterizedTest
    @ValueSource(strings = {"LATIN1", "SQL_ASCII"})
    void refusesADatabaseWhoseEncodingLacksLetters(String encoding) {
        String url = TestDatabases.newPostgresUrl(encoding);

        assertThatThrownBy(() -> Store.open(url, "postgres", new Secret("postgres"), home, "test", CLOCK))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessage("the database has the encoding " + encoding + ", which can't hold every text; make another"
                        + " with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0");
        assertThatThrownBy(() -> DatabaseProbe.postgres(url, "postgres", new Secret("postgres")))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessageContaining("the encoding " + encoding);
    }

    @Test
    void refusesASchemaThatWasMadeOtherwise() throws Exception {
        change("UPDATE schema_version SET checksum = 'ffffffff' WHERE version = 1");

        assertThatThrownBy(() -> Store.open(home, "test", CLOCK))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("[V001__intake.sql] was applied in another form [ffffffff]");
    }

    @Test
    void leavesNothingOfAStepThatFails() throws Exception {
        SqliteDriver.load(home);
        SqliteDatabase database = SqliteDatabase.open(home.resolve("new.db"));
        SchemaMigrator broken = new SchemaMigrator(List.of("V001__intake.sql", "test-broken.sql"), CLOCK);

        assertThatThrownBy(() -> broken.migrate(database)).isInstanceOf(StoreException.class);
        List<String> tables =
                database.read(sql -> sql.query("SELECT name FROM sqlite_master", row -> row.text("name")));
        assertThat(tables).isEmpty();
        database.close();
    }

    @Test
    void saysThatAStepIsMissingFromTheBuild() throws Exception {
        SqliteDriver.load(home);
        SqliteDatabase database = SqliteDatabase.open(home.resolve("new.db"));

        assertThatThrownBy(() -> new SchemaMigrator(List.of("V001__gone.sql"), CLOCK).migrate(database))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("[V001__gone.sql]");
        database.close();
    }

    @Test
    void letsNodesThatStartTogetherMigrateOneAfterTheOther() {
        TestDatabases.Opener shared = TestDatabases.postgres(home);

        List<CompletableFuture<SqlDialect>> nodes = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> {
                    try (Store store = shared.open(CLOCK)) {
                        return store.dialect();
                    } catch (StoreException e) {
                        throw new IllegalStateException(e);
                    }
                }))
                .toList();

        assertThat(nodes).allSatisfy(node -> assertThat(node.join()).isEqualTo(SqlDialect.POSTGRESQL));
    }

    private static int touchRuns(String url) {
        try (Connection connection = TestDatabases.postgresSource(url).getConnection();
                Statement statement = connection.createStatement()) {
            return statement.executeUpdate("UPDATE run SET attempts = attempts + 1");
        } catch (SQLException e) {
            throw new CompletionException(e);
        }
    }

    private static boolean waitsForALock(String url) throws SQLException {
        try (Connection connection = TestDatabases.postgresSource(url).getConnection();
                Statement statement = connection.createStatement();
                ResultSet waiting = statement.executeQuery(
                        "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'run'::regclass")) {
            return waiting.next();
        }
    }

    private static List<String> and(List<String> files, String another) {
        return Stream.concat(files.stream(), Stream.of(another)).toList();
    }

    private static void migrate(String url, List<String> files) throws StoreException {
        PostgresDatabase database = PostgresDatabase.of(TestDatabases.postgresSource(url), "test");
        new SchemaMigrator(files, CLOCK).migrate(database);
    }

    private static void enter(String url, String node, String seen) throws SQLException {
        change(url, "INSERT INTO node VALUES ('" + node + "', 1, extract(epoch FROM " + seen + ") * 1000, 8)");
    }

    private static void change(String url, String statement) throws SQLException {
        try (Connection connection = TestDatabases.postgresSource(url).getConnection();
                Statement change = connection.createStatement()) {
            assertThat(change.executeUpdate(statement)).isEqualTo(1);
        }
    }

    private void change(String statement) throws StoreException {
        try (Store store = Store.open(home, "test", CLOCK)) {
            int changed = store.writeAndWait(sql -> sql.update(statement));
            assertThat(changed).isEqualTo(1);
        }
    }
}
