package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.config.Settings;
import dev.postern.model.Secret;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A test of copies between a home's SQLite file and a PostgreSQL database. */
class DatabaseCopyTest {

    private static final InstantSource CLOCK = InstantSource.system();
    private static final Settings.Database IN_HOME = new Settings.Database(null, null, null);
    private static final String COLUMNS = "SELECT name, type, \"notnull\" AS needed, pk FROM pragma_table_info('%s')";

    /** Texts that databases have treated differently. */
    private static final List<String> TEXTS = List.of(
            "a",
            "",
            "B",
            "Ä",
            "\uD83D\uDE00",
            "it's \"quoted\" \\ %s {{x}}",
            "line\nnext\r\n\ttab",
            "e\u0301",
            "é",
            "ﬀ",
            "~",
            "_",
            "x".repeat(70_000));

    private static final List<Long> NUMBERS = List.of(0L, -1L, 1L, 32_767L, 7L);

    @TempDir
    Path top;

    private Path home;
    private Path file;
    private final List<String> copied = new ArrayList<>();

    private final DatabaseCopy.Progress progress = new DatabaseCopy.Progress() {
        @Override
        public void copying(String table, long rows) {
            throw new AssertionError("no table has so many rows: " + table);
        }

        @Override
        public void copied(String table, long rows, String sha256) {
            copied.add(table + " " + rows + " " + sha256);
        }
    };

    @BeforeEach
    void nameHome() {
        home = top.resolve("home");
        file = home.resolve("data/postern.db");
    }

    @Test
    void refusesAHomeWithoutADatabaseAndMakesNothing() {
        assertThatThrownBy(() -> copy(IN_HOME, postgres(TestDatabases.newPostgresUrl())))
                .isInstanceOf(StoreException.class)
                .hasMessage("there is no SQLite database [" + file + "]");
        assertThat(home).doesNotExist();
    }

    @Test
    void refusesAHomeThatAPosternUses() throws Exception {
        String url = TestDatabases.newPostgresUrl();
        try (Store store = Store.open(home, "test", CLOCK)) {
            assertThatThrownBy(() -> copy(IN_HOME, postgres(url)))
                    .isInstanceOf(AlreadyInUseException.class)
                    .hasMessageStartingWith("the home [" + home + "] is in use by another Postern");
            assertThat(store.isAlive()).isTrue();
        }
        assertThat(tables(url)).isEmpty();
    }

    @Test
    void refusesAPostgresThatANodeUses() throws Exception {
        String url = TestDatabases.newPostgresUrl();
        Store.open(url, null, new Secret("postgres"), home, "test", CLOCK).close();
        execute(
                url,
                "INSERT INTO node (id, started_at, seen_at) VALUES ('alive', 1, extract(epoch FROM clock_timestamp()) * 1000)");

        assertThatThrownBy(() -> copy(postgres(url), IN_HOME))
                .isInstanceOfSatisfying(AlreadyInUseException.class, e -> assertThat(e.fact())
                        .matches("PostgreSQL at .* is in use by other Posterns \\(nodes: 1\\)"))
                .hasMessageEndingWith("end them first, or wait 2 min where they have died");
        assertThat(home.resolve("data")).isDirectoryNotContaining("glob:**postern.db*");
    }

    @Test
    void refusesATargetWithTablesAndLeavesThemAlone() throws Exception {
        String url = TestDatabases.newPostgresUrl();
        execute(url, "CREATE TABLE run (id integer)");
        execute(url, "CREATE TABLE another (id integer)");
        Store.open(home, "test", CLOCK).close();

        assertThatThrownBy(() -> copy(IN_HOME, postgres(url)))
                .isInstanceOf(StoreException.class)
                .hasMessageStartingWith("the target, PostgreSQL at ")
                .hasMessageEndingWith(
                        " is not empty: it has the tables another, run; name an empty database or schema");
        assertThat(tables(url)).containsExactly("another", "run");
    }

    @Test
    void refusesATargetWithATableThatItsRoleMayNotUse() throws Exception {
        String url = TestDatabases.newPostgresUrl();
        execute(url, "CREATE TABLE of_another_application (id integer)");
        String schema = url.substring(url.lastIndexOf('=') + 1);
        execute(url, "CREATE ROLE copier LOGIN; GRANT CREATE, USAGE ON SCHEMA " + schema + " TO copier");
        String withoutUser = url.replace("user=postgres&", "");
        Store.open(home, "test", CLOCK).close();

        assertThatThrownBy(() -> copy(IN_HOME, new Settings.Database(withoutUser, "copier", new Secret("none"))))
                .isInstanceOf(StoreException.class)
                .hasMessageEndingWith(
                        " is not empty: it has the table of_another_application; name an empty database or schema");
    }

    @Test
    void refusesATargetFileThatIsThere() throws Exception {
        Store.open(home, "test", CLOCK).close();
        byte[] before = Files.readAllBytes(file);

        assertThatThrownBy(() -> copy(IN_HOME, new Settings.Database("jdbc:sqlite:" + file, null, null)))
                .isInstanceOf(StoreException.class)
                .hasMessage("the target [" + file
                        + "] is there already; move it away with the -wal and -shm beside it, or name another file");
        assertThat(file).hasBinaryContent(before);
    }

    @Test
    void saysThatTheTargetRefusesTheLogin() throws Exception {
        String url = TestDatabases.newPostgresUrl().replace("user=postgres", "user=nobody-here");
        Store.open(home, "test", CLOCK).close();

        assertThatThrownBy(() -> copy(IN_HOME, new Settings.Database(url, null, new Secret("wrong-7hQ2"))))
                .isInstanceOf(StoreException.class)
                .hasMessageStartingWith("cannot open the database [jdbc:postgresql://localhost:")
                .hasMessageContaining("nobody-here")
                .hasMessageNotContaining("wrong-7hQ2");
    }

    @Test
    void refusesAnOlderSchema() throws Exception {
        Store.open(home, "test", CLOCK).close();
        execute("jdbc:sqlite:" + file, "DELETE FROM schema_version WHERE version > 20");

        assertThatThrownBy(() -> copy(IN_HOME, postgres(TestDatabases.newPostgresUrl())))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("has schema 20, and this program needs schema " + Store.knownSchema());
    }

    @Test
    void refusesANewerSchemaThatThisProgramCouldStartOn() throws Exception {
        Store.open(home, "test", CLOCK).close();
        execute("jdbc:sqlite:" + file, "INSERT INTO schema_version VALUES (99, 'V099__later.sql', 'ffffffff', 1, 7)");

        assertThatThrownBy(() -> copy(IN_HOME, postgres(TestDatabases.newPostgresUrl())))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("has schema 99, and this program copies schema " + Store.knownSchema());
    }

    @Test
    void leavesNothingInATargetWhereOneRowCannotBeCopied() throws Exception {
        String url = TestDatabases.newPostgresUrl();
        Store.open(home, "test", CLOCK).close();
        fill();
        execute("jdbc:sqlite:" + file, "UPDATE turn SET created_at = 'no number' WHERE seq = 1");

        assertThatThrownBy(() -> copy(IN_HOME, postgres(url)))
                .isInstanceOf(StoreException.class)
                .hasMessageMatching(
                        "row \\d+ of the table turn holds no number in the column created_at; nothing was copied");
        assertThat(copied).isNotEmpty();
        assertThat(tables(url)).isEmpty();
    }

    @Test
    void leavesNothingInATargetThatDoesNotStoreWhatItGets() throws Exception {
        String url = TestDatabases.newPostgresUrl();
        Store.open(home, "test", CLOCK).close();
        fill();
        execute("jdbc:sqlite:" + file, "UPDATE turn SET text = 'nul ' || char(0) || ' s3cret' WHERE seq = 1");

        assertThatThrownBy(() -> copy(IN_HOME, postgres(url)))
                .isInstanceOf(StoreException.class)
                .hasMessageStartingWith("the table turn can't be copied, so nothing was: ")
                .hasMessageContaining("SQLState 22021")
                .hasMessageNotContaining("s3cret");
        assertThat(tables(url)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '\"',
            value = {
                "UPDATE turn SET text = text || ' ' WHERE seq = 3;row 7 of the table turn differs",
                "UPDATE turn SET agent_id = '' WHERE seq = 0;row 1 of the table turn differs",
                "DELETE FROM turn WHERE seq = 12;row 5 of the table turn differs",
                "INSERT INTO turn (session_key, seq, role, text, created_at) VALUES ('z', 1, '', '', 1);row 14 of the table"
                        + " turn differs"
            })
    void findsARowThatDiffers(String change, String message) throws Exception {
        Store.open(home, "test", CLOCK).close();
        fill();
        execute("jdbc:sqlite:" + file, "UPDATE turn SET agent_id = NULL WHERE seq = 0");
        Path changed = Files.copy(file, top.resolve("changed.db"));
        try (Connection source = connect("jdbc:sqlite:" + file);
                Connection target = connect("jdbc:sqlite:" + changed)) {
            CopiedTable turn = CopiedTable.all(source, SqlDialect.SQLITE).stream()
                    .filter(table -> table.name().equals("turn"))
                    .findFirst()
                    .orElseThrow();
            assertThat(turn.compare(source, SqlDialect.SQLITE, target, SqlDialect.SQLITE))
                    .hasSize(64);

            execute("jdbc:sqlite:" + changed, change);

            assertThatThrownBy(() -> turn.compare(source, SqlDialect.SQLITE, target, SqlDialect.SQLITE))
                    .isInstanceOf(StoreException.class)
                    .hasMessageStartingWith(message);
        }
    }

    @Test
    void copiesEachRowOfEachTableThereAndBack() throws Exception {
        String url = TestDatabases.newPostgresUrl();
        Store.open(home, "test", CLOCK).close();
        fill();
        Map<String, List<String>> before = rows(file);
        assertThat(before)
                .hasSizeGreaterThanOrEqualTo(20)
                .allSatisfy((table, rows) -> assertThat(rows).as(table).isNotEmpty());

        copy(IN_HOME, postgres(url));
        List<String> there = List.copyOf(copied);
        copied.clear();
        Path other = top.resolve("other");
        DatabaseCopy.run(postgres(url), IN_HOME, other, CLOCK, progress);

        assertThat(copied).isEqualTo(there).hasSameSizeAs(before.keySet());
        assertThat(rows(other.resolve("data/postern.db"))).isEqualTo(before);
        assertThat(rows(file)).isEqualTo(before);
        assertThat(other.resolve("data")).isDirectoryNotContaining("glob:**.new*");
        assertThat(Files.getPosixFilePermissions(other.resolve("data/postern.db")))
                .hasSize(2);
        Store.open(other, "test", CLOCK).close();
        Store.open(url, null, new Secret("postgres"), top.resolve("third"), "test", CLOCK)
                .close();
    }

    @Test
    void movesADatabaseOfAnotherEncoding() throws Exception {
        String url = TestDatabases.newPostgresUrl("LATIN1");
        makeTables(url);
        execute(url, "INSERT INTO bookmark VALUES ('Ä', NULL, NULL, 1)");
        assertThatThrownBy(() -> Store.open(url, null, new Secret("postgres"), home, "test", CLOCK))
                .hasMessageEndingWith(", and move this one there with copy-database of the version that used it last");

        copy(postgres(url), IN_HOME);

        assertThat(rows(file).get("bookmark")).singleElement().asString().contains("Ä");
    }

    @Test
    void refusesATargetOfAnotherEncoding() throws Exception {
        String url = TestDatabases.newPostgresUrl("LATIN1");
        Store.open(home, "test", CLOCK).close();

        assertThatThrownBy(() -> copy(IN_HOME, postgres(url)))
                .isInstanceOf(StoreException.class)
                .hasMessageStartingWith("the database has the encoding LATIN1");
        assertThat(tables(url)).isEmpty();
    }

    /** Makes the tables as a version did that took any encoding. */
    private static void makeTables(String url) throws SQLException, StoreException {
        execute(
                url,
                "CREATE TABLE schema_version"
                        + " (version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at bigint NOT NULL)");
        for (int version = 1; version <= SchemaMigrator.known(); version++) {
            SchemaStep step = SchemaStep.read(version, SchemaMigrator.files().get(version - 1));
            execute(url, String.join(";\n", step.statements(SqlDialect.POSTGRESQL)));
            execute(
                    url,
                    "INSERT INTO schema_version (version, name, checksum, applied_at) VALUES (" + version + ", '"
                            + step.name() + "', '" + step.checksum() + "', 1)");
        }
    }

    private void copy(Settings.Database from, Settings.Database to) throws StoreException {
        DatabaseCopy.run(from, to, home, CLOCK, progress);
    }

    private static Settings.Database postgres(String url) {
        return new Settings.Database(url, null, new Secret("postgres"));
    }

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Connection connect(String url) throws SQLException {
        return url.startsWith("jdbc:sqlite:")
                ? DriverManager.getConnection(url)
                : TestDatabases.postgresSource(url).getConnection();
    }

    private static List<String> tables(String url) throws SQLException {
        try (Connection connection = connect(url)) {
            return SqlTransaction.on(connection, SqlDialect.POSTGRESQL, CopiedTable::names);
        }
    }

    /** Puts rows with each kind of value into each table but that of the schema. */
    private void fill() throws SQLException {
        try (Connection connection = connect("jdbc:sqlite:" + file)) {
            connection.setAutoCommit(false);
            SqlTransaction sql = new SqlTransaction(connection, SqlDialect.SQLITE);
            for (String table : CopiedTable.names(sql)) {
                if (!table.equals("schema_version")) {
                    fill(connection, sql, table);
                }
            }
            connection.commit();
        }
    }

    private record Column(String name, String type, boolean needed, boolean isKey) {}

    private static void fill(Connection connection, SqlTransaction sql, String table) throws SQLException {
        List<Column> columns = sql.query(
                COLUMNS.formatted(table),
                row -> new Column(row.text("name"), row.text("type"), row.flag("needed"), row.number("pk") > 0));
        String insert = "INSERT INTO " + table + " VALUES (" + "?, ".repeat(columns.size() - 1) + "?)";
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            for (int row = 0; row < TEXTS.size(); row++) {
                for (int i = 0; i < columns.size(); i++) {
                    statement.setObject(i + 1, value(columns.get(i), row, i));
                }
                statement.executeUpdate();
            }
        }
    }

    private static Object value(Column column, int row, int at) {
        if (!column.needed() && !column.isKey() && (row + at) % 3 == 0) {
            return null;
        }
        if (column.name().equals("seen_at")) {
            return row; // no node is alive
        }
        boolean isUnique = column.isKey()
                || column.name().equals("signed_sha256")
                || column.name().equals("call");
        return switch (column.type()) {
            case "text" ->
                isUnique
                        ? row
                                + TEXTS.get(row)
                                        .substring(0, Math.min(5, TEXTS.get(row).length()))
                        : TEXTS.get((row + at) % TEXTS.size());
            case "bytea" -> TEXTS.get(row).getBytes(StandardCharsets.UTF_16);
            case "bigint" ->
                isUnique ? (Object) (long) row : row % 2 == 0 ? Long.MAX_VALUE - row : Long.MIN_VALUE + row;
            default -> isUnique ? (Object) (long) row : NUMBERS.get((row + at) % NUMBERS.size());
        };
    }

    /** Each table's rows as text, in order. */
    private static Map<String, List<String>> rows(Path database) throws SQLException {
        Map<String, List<String>> all = new TreeMap<>();
        try (Connection connection = connect("jdbc:sqlite:" + database)) {
            SqlTransaction sql = new SqlTransaction(connection, SqlDialect.SQLITE);
            for (String table : CopiedTable.names(sql)) {
                List<String> rows = new ArrayList<>();
                try (Statement statement = connection.createStatement();
                        ResultSet found = statement.executeQuery("SELECT * FROM " + table)) {
                    int columns = found.getMetaData().getColumnCount();
                    while (found.next()) {
                        StringBuilder row = new StringBuilder();
                        for (int i = 1; i <= columns; i++) {
                            Object value = found.getObject(i);
                            row.append(
                                            value instanceof byte[] bytes
                                                    ? HexFormat.of().formatHex(bytes)
                                                    : value)
                                    .append('|');
                        }
                        rows.add(row.toString());
                    }
                }
                all.put(table, rows.stream().sorted().toList());
            }
        }
        return all;
    }
}
