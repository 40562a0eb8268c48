package dev.postern.it.standalone;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** For a static field: a PostgreSQL of the class's own, which waits for its disk, and can go away as servers do. */
final class PostgresServer implements BeforeAllCallback, AfterAllCallback {

    /** How many connections there may be, with those that are kept for a superuser. */
    static final int MOST_CONNECTIONS = 40;

    private static final Path DIRECTORY =
            Path.of(System.getProperty("it.directory", "target/it"), "postgres").toAbsolutePath();

    private Path data;
    private int port;
    private EmbeddedPostgres server;

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        data = Files.createTempDirectory(Files.createDirectories(DIRECTORY), "data-");
        server = start();
        port = server.getPort();
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        server.close();
        try (Stream<Path> files = Files.walk(data)) {
            files.sorted((one, other) -> other.compareTo(one)).forEach(PostgresServer::delete);
        }
    }

    /** Makes the role {@code name}, with its name as its password, and its database of the same name. */
    void database(String name) throws SQLException {
        administer("CREATE ROLE " + name + " LOGIN PASSWORD '" + name + "'");
        administer("CREATE DATABASE " + name + " OWNER " + name);
    }

    String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    /** A connection of {@code role} to its own database. */
    Connection connect(String role) throws SQLException {
        return DriverManager.getConnection(url(role), role, role);
    }

    /** The first column of what {@code sql} finds in {@code database}. */
    List<String> column(String database, String sql) throws SQLException {
        try (Connection connection = superuser(database);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        }
    }

    /** Runs {@code sql} as the superuser. */
    void administer(String sql) throws SQLException {
        try (Connection connection = superuser("postgres");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Ends the connections of {@code role}; false when there were none. */
    boolean cutOff(String role) throws SQLException {
        return !column(
                        "postgres",
                        "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity WHERE usename = '" + role + "'")
                .isEmpty();
    }

    /** A fast shutdown: connections are ended, and what was committed is in the files. */
    void stop() throws IOException {
        server.close();
    }

    /** SIGKILL for all of its processes. */
    void kill() throws IOException, InterruptedException {
        signal("KILL");
        server.close();
    }

    /** Starts it again, after a stop or a kill; returns when it takes connections. */
    void startAgain() throws IOException {
        server = start();
    }

    /** Has all of its processes get {@code signal}: with {@code STOP} none of them gets the processor any more. */
    void signal(String signal) throws IOException, InterruptedException {
        ProcessHandle main = ProcessHandle.of(Long.parseLong(
                        Files.readAllLines(data.resolve("postmaster.pid")).get(0)))
                .orElseThrow();
        List<String> command = new ArrayList<>(List.of("kill", "-" + signal, String.valueOf(main.pid())));
        main.descendants().forEach(each -> command.add(String.valueOf(each.pid())));
        Process kill = new ProcessBuilder(command).inheritIO().start();
        if (!kill.waitFor(10, TimeUnit.SECONDS)) {
            throw new IOException(command + " does not end");
        }
    }

    private Connection superuser(String database) throws SQLException {
        return DriverManager.getConnection(url(database), "postgres", "postgres");
    }

    private EmbeddedPostgres start() throws IOException {
        return EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(DIRECTORY.toFile())
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setPort(port)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("max_connections", String.valueOf(MOST_CONNECTIONS))
                .start();
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
