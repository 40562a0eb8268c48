package dev.postern.it.standalone;

import dev.postern.it.server.PortFinder;
import java.io.Closeable;
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
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * An extension, for a static field, that runs a PostgreSQL for one class. It waits for its disk, and can go away as
 * servers do.
 */
final class PostgresServer implements PostgresDatabases, BeforeAllCallback, AfterAllCallback {

    /** How many connections there may be, with those that are kept for a superuser. */
    static final int MOST_CONNECTIONS = 40;

    private static final Map<String, String> CONFIGURATION =
            Map.of("fsync", "on", "synchronous_commit", "on", "max_connections", String.valueOf(MOST_CONNECTIONS));

    private final PostgresDistribution distribution;
    private final int port = PortFinder.free();
    private Path directory;
    private Closeable server;

    PostgresServer(PostgresDistribution distribution) {
        this.distribution = distribution;
    }

    /** A source of the files of a server. */
    interface FileSource {

        /** Makes the directory {@code data}. */
        void copyTo(Path data) throws IOException;
    }

    /** A package of PostgreSQL's programs. */
    interface PostgresDistribution {

        /** Makes a directory that they may write to. */
        Path directory() throws IOException;

        /**
         * Starts the server on the files at {@code data}; makes them, with the superuser {@code postgres} and that as its
         * password, where they are not there.
         *
         * @return when the server takes connections; closing it is a fast shutdown, or nothing where the server has ended
         */
        Closeable start(Path data, int port, Map<String, String> configuration) throws IOException;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        directory = distribution.directory();
        server = start();
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        server.close();
        deleteAll(directory);
    }

    /** Starts it with the files of {@code source}, instead of those that it may have; returns when it takes connections. */
    void startWith(FileSource source) throws IOException {
        if (directory == null) {
            directory = distribution.directory();
        }
        if (Files.exists(data())) {
            deleteAll(data());
        }
        source.copyTo(data());
        server = start();
    }

    @Override
    public void database(String name) throws SQLException {
        administer("CREATE ROLE " + name + " LOGIN PASSWORD '" + name + "'");
        administer("CREATE DATABASE " + name + " OWNER " + name);
    }

    @Override
    public String url(String database) {
        return "jdbc:postgresql://" + address() + "/" + database;
    }

    /** The host and the port. */
    String address() {
        return "127.0.0.1:" + port;
    }

    int port() {
        return port;
    }

    /** A connection of {@code role} to its own database. */
    Connection connect(String role) throws SQLException {
        return DriverManager.getConnection(url(role), role, role);
    }

    @Override
    public List<String> column(String database, String sql) throws SQLException {
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
                        Files.readAllLines(data().resolve("postmaster.pid")).get(0)))
                .orElseThrow();
        send(signal, Stream.concat(Stream.of(main), main.descendants()));
    }

    /** Sends {@code signal} to {@code processes}, some of which may have ended. */
    static void send(String signal, Stream<ProcessHandle> processes) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("kill", "-" + signal));
        processes.forEach(each -> command.add(String.valueOf(each.pid())));
        Process kill = new ProcessBuilder(command).inheritIO().start();
        if (!kill.waitFor(10, TimeUnit.SECONDS)) {
            throw new IOException(command + " does not end");
        }
    }

    private Connection superuser(String database) throws SQLException {
        return DriverManager.getConnection(url(database), "postgres", "postgres");
    }

    private Closeable start() throws IOException {
        return distribution.start(data(), port, CONFIGURATION);
    }

    private Path data() {
        return directory.resolve("data");
    }

    private static void deleteAll(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted((one, other) -> other.compareTo(one)).forEach(PostgresServer::delete);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
