package dev.postern.store;

import dev.postern.model.Secret;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** The databases for tests: a new one each time, of either kind. */
public final class TestDatabases {

    private static final AtomicInteger NODES = new AtomicInteger();

    private TestDatabases() {}

    /** An opener of one test's database, which can be opened again and again. */
    public interface Opener {

        Store open(InstantSource clock) throws StoreException;
    }

    /** A SQLite file in {@code home}. */
    public static Opener sqlite(Path home) {
        return clock -> Store.open(home, "test", clock);
    }

    /**
     * A new, empty schema in the PostgreSQL server that all tests of this process share. Each store that is opened on it
     * is a node of its own, with a home of its own below {@code home}.
     */
    public static Opener postgres(Path home) {
        return postgres(home, newPostgresUrl());
    }

    /** As {@link #postgres(Path)}, in a new database that sorts texts as the ICU locale {@code locale} does. */
    public static Opener sortedPostgres(Path home, String locale) {
        return postgres(home, newDatabaseUrl("LOCALE_PROVIDER icu ICU_LOCALE '" + locale + "'"));
    }

    private static Opener postgres(Path home, String url) {
        return clock -> Store.open(
                url, "postgres", new Secret("postgres"), home.resolve("node" + NODES.incrementAndGet()), "test", clock);
    }

    /** A DataSource as a server would bind it: connections to such a schema, without a pool. */
    public static DataSource newPostgresSource() {
        return postgresSource(newPostgresUrl());
    }

    static String newPostgresUrl() {
        String schema = newName();
        execute("CREATE SCHEMA " + schema);
        return "jdbc:postgresql://localhost:" + Server.RUNNING.getPort() + "/postgres?user=postgres&currentSchema="
                + schema;
    }

    /** A new, empty database with the encoding {@code encoding}. */
    static String newPostgresUrl(String encoding) {
        return newDatabaseUrl("ENCODING '" + encoding + "'");
    }

    private static String newDatabaseUrl(String options) {
        String name = newName();
        execute("CREATE DATABASE " + name + " TEMPLATE template0 LOCALE 'C' " + options);
        return "jdbc:postgresql://localhost:" + Server.RUNNING.getPort() + "/" + name + "?user=postgres";
    }

    private static String newName() {
        return "test_" + UUID.randomUUID().toString().replace("-", "");
    }

    private static void execute(String sql) {
        try (Connection connection = Server.RUNNING.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static DataSource postgresSource(String url) {
        org.postgresql.ds.PGSimpleDataSource source = new org.postgresql.ds.PGSimpleDataSource();
        source.setURL(url);
        return source;
    }

    /** The server, which starts when first needed and ends with the process. */
    private static final class Server {

        static final EmbeddedPostgres RUNNING = start();

        private static EmbeddedPostgres start() {
            Path directory = Path.of("target", "postgres").toAbsolutePath();
            Path data = directory.resolve("data-" + ProcessHandle.current().pid());
            try {
                Files.createDirectories(directory);
                return EmbeddedPostgres.builder()
                        .setOverrideWorkingDirectory(directory.toFile())
                        .setDataDirectory(data)
                        .setPGStartupWait(Duration.ofMinutes(2))
                        .start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
