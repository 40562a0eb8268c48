package dev.postern.it.standalone;

import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A group of nodes, each a process with a home of its own, that share one PostgreSQL. */
final class Cluster implements AutoCloseable {

    private static final Duration LONGEST_TAKE_OVER = TimeBound.of(Duration.ofSeconds(15));

    private final EmbeddedPostgres server;
    private final List<Node> nodes = new ArrayList<>();
    private final Set<String> entered = new HashSet<>();

    private Cluster(EmbeddedPostgres server) {
        this.server = server;
    }

    /** Starts a PostgreSQL and the given number of nodes on it, one after the other, with the same settings. */
    static Cluster start(HomeFixtureExtension homeFixtureExtension, int size, String... sections) throws IOException {
        return start(Stream.generate(homeFixtureExtension::newHome).limit(size).toList(), sections);
    }

    /** The same with a node on each of {@code homes}. */
    static Cluster start(List<HomeFixture> homes, String... sections) throws IOException {
        Path directory = Files.createDirectories(
                Path.of(System.getProperty("it.directory", "target/it")).resolve("postgres"));
        Cluster cluster = new Cluster(EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(directory.toFile())
                .setDataDirectory(Files.createTempDirectory(directory, "data-"))
                .start());
        String database = "database: {username: postgres, url: 'jdbc:postgresql://localhost:" + cluster.server.getPort()
                + "/postgres'}";
        String[] settings =
                Stream.concat(Stream.of(sections), Stream.of(database)).toArray(String[]::new);
        for (HomeFixture home : homes) {
            Node node = cluster.new Node(home.settings(settings));
            cluster.nodes.add(node);
            node.start();
        }
        return cluster;
    }

    Node node(int number) {
        return nodes.get(number);
    }

    List<Node> nodes() {
        return List.copyOf(nodes);
    }

    /** True when a node has been at work all the time since {@code moment}. */
    boolean isWatchedSince(Instant moment) {
        return nodes.stream().anyMatch(node -> node.upSince.isBefore(moment));
    }

    /** The first column of what {@code sql} finds. */
    List<String> column(String sql) {
        List<String> values = new ArrayList<>();
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        } catch (SQLException e) {
            throw new IllegalStateException(sql + " failed", e);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    /** A home with the process that runs on it. */
    final class Node {

        private final HomeFixture home;
        private volatile PosternProcess postern;
        private volatile Instant upSince = Instant.MAX;
        private volatile String id;

        private Node(HomeFixture home) {
            this.home = home;
        }

        /** Starts a process, which enters the cluster under an id of its own. */
        void start() {
            synchronized (entered) {
                postern = home.start();
                id = column("SELECT id FROM node").stream()
                        .filter(entered::add)
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException("nobody has entered the cluster"));
            }
            upSince = Instant.now();
        }

        /** SIGKILL. */
        void kill() {
            upSince = Instant.MAX;
            postern.kill();
        }

        /** SIGSTOP. */
        void freeze() {
            upSince = Instant.MAX;
            postern.freeze();
        }

        /** SIGCONT. */
        void thaw() {
            postern.thaw();
            upSince = Instant.now();
        }

        /** What it is called in the database. */
        String id() {
            return id;
        }

        HomeFixture home() {
            return home;
        }

        PosternProcess postern() {
            return postern;
        }

        HookSender sender() {
            return postern.sender();
        }

        /** The sessions in which it works, each with the number of its claim. */
        Set<String> sessionLocks() {
            return new HashSet<>(column("SELECT key || ' ' || epoch FROM session WHERE owner = '" + id + "'"));
        }

        /** Waits until {@code lanes}, which were its own, are others'; returns how long that took since {@code gone}. */
        Duration awaitTakeover(Set<String> lanes, Instant gone) {
            await("the take-over of " + lanes)
                    .atMost(LONGEST_TAKE_OVER)
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> sessionLocks().stream().noneMatch(lanes::contains));
            return Duration.between(gone, Instant.now());
        }
    }
}
