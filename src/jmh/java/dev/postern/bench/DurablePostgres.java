package dev.postern.bench;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;

/** A PostgreSQL in processes of its own that keeps what it has confirmed, as in production. */
final class DurablePostgres implements AutoCloseable {

    private static final double MICROS_PER_TICK = 10_000;
    private static final int STAT_PPID = 1;
    private static final int STAT_UTIME = 11;
    /** User and system time of the process, and of its children that have ended. */
    private static final int STAT_TIMES = 4;

    private final EmbeddedPostgres server;
    private final String pid;

    private DurablePostgres(EmbeddedPostgres server, String pid) {
        this.server = server;
        this.pid = pid;
    }

    static DurablePostgres start(Path directory) throws IOException {
        Path data = Files.createDirectories(directory).resolve("data");
        EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(directory.toFile())
                .setDataDirectory(data)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .start();
        return new DurablePostgres(
                server,
                Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
    }

    String url() {
        return "jdbc:postgresql://localhost:" + server.getPort() + "/postgres?user=postgres";
    }

    void run(String sql) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** How many transactions it has committed, as far as its processes have told yet. */
    long commits() throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** User and system time of all of its processes since the start, in microseconds. */
    double cpuMicros() {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return MICROS_PER_TICK
                    * processes
                            .filter(process -> process.getFileName().toString().matches("[0-9]+"))
                            .mapToLong(this::ticks)
                            .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long ticks(Path process) {
        try {
            String stat = Files.readString(process.resolve("stat"));
            List<String> fields =
                    List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
            boolean ours = process.endsWith(pid) || fields.get(STAT_PPID).equals(pid);
            return ours
                    ? fields.subList(STAT_UTIME, STAT_UTIME + STAT_TIMES).stream()
                            .mapToLong(Long::parseLong)
                            .sum()
                    : 0;
        } catch (NoSuchFileException ended) {
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
