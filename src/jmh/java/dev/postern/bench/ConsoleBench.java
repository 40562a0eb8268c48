package dev.postern.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A benchmark of the console with 100,000 runs and 1,000,000 requests behind it: the time and the size of its pages,
 * and the cost of a wake while 20 viewers have a live page open.
 *
 * <p>Arguments: the WAR, and optionally the seconds of one stretch (5).
 */
public final class ConsoleBench {

    private static final int RUNS = 100_000;
    private static final int REQUESTS = 1_000_000;
    private static final int VIEWERS = 20;
    private static final int LIVE_SECONDS = 3;
    private static final int CONNECTIONS = 64;
    private static final int ROUNDS = 5;
    private static final int WARM_UPS = 100;
    private static final int LOOKS = 100;
    private static final Pattern ASSET = Pattern.compile("(?:href|src)=\"/console/(assets/[^\"]+)\"");
    private static final Pattern RUN = Pattern.compile("/console/(runs/run_[0-9a-z]+)");
    private static final List<String> PLACES = List.of(
            "",
            "requests",
            "runs",
            "runs?status=failed",
            "runs?status=cancelled",
            "runs?session=hook:bench:7",
            "sessions",
            "session?key=main:main",
            "deliveries",
            "inbox",
            "try",
            "settings",
            "audit");

    private ConsoleBench() {}

    /** Runs the bench and prints what it measured. */
    public static void main(String[] args) throws Exception {
        Duration stretch = Duration.ofSeconds(args.length > 1 ? Long.parseLong(args[1]) : 5);
        Path folder = Files.createTempDirectory("postern-bench");
        Path home = folder.resolve("home");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                args[0],
                "--port",
                "0",
                "--home",
                home.toString());
        MeasuredServer.start(command, folder.resolve("first.log")).close();
        fill(home.resolve("data/postern.db"));
        try (MeasuredServer postern = MeasuredServer.start(command, folder.resolve("postern.log"))) {
            String token = Files.readString(home.resolve("secrets/hook-token")).strip();
            String password =
                    Files.readString(home.resolve("secrets/console-password")).strip();
            String body = "{\"text\":\"" + "x".repeat(160) + "\",\"mode\":\"next-heartbeat\"}";
            LoadGenerator wake = new LoadGenerator(LoadGenerator.post("/hooks/wake", token, body), 200);
            for (double sent = 0; sent < REQUESTS; ) {
                sent += wake.run(postern, CONNECTIONS, stretch).perSecond() * stretch.toSeconds();
            }
            pages(new ConsoleViewer(postern.port(), password));
            cost(postern, password, wake, stretch);
        }
    }

    private static void pages(ConsoleViewer viewer) throws Exception {
        List<String> places = new ArrayList<>(PLACES);
        Matcher run = RUN.matcher(viewer.look("runs").page());
        if (run.find()) {
            places.add(run.group(1));
        }
        for (String place : places) {
            viewer.looks(place, WARM_UPS);
            double[] millis = viewer.looks(place, LOOKS);
            String page = viewer.look(place).page();
            long bytes = page.getBytes(StandardCharsets.UTF_8).length;
            Matcher assets = ASSET.matcher(page);
            while (assets.find()) {
                bytes += viewer.look(assets.group(1)).page().length();
            }
            System.out.printf(
                    Locale.ROOT,
                    "/console/%-26s %6.1f ms median, %6.1f ms slowest of %d, %5.1f KB with its assets%n",
                    place.startsWith("runs/") ? "runs/<id>" : place,
                    millis[LOOKS / 2],
                    millis[LOOKS - 1],
                    LOOKS,
                    bytes / 1_000.0);
        }
    }

    private static void cost(MeasuredServer postern, String password, LoadGenerator wake, Duration stretch)
            throws Exception {
        List<ConsoleViewer> viewers = new ArrayList<>();
        for (int i = 0; i < VIEWERS; i++) {
            viewers.add(new ConsoleViewer(postern.port(), password));
        }
        double without = 0;
        double with = 0;
        for (int round = 1; round <= ROUNDS; round++) {
            double alone = wake.run(postern, CONNECTIONS, stretch).cpuMicrosEach();
            double watched = watched(viewers, () -> wake.run(postern, CONNECTIONS, stretch));
            System.out.printf(Locale.ROOT, "a wake: %.1f us CPU, with %d viewers %.1f us%n", alone, VIEWERS, watched);
            without += alone;
            with += watched;
        }
        System.out.printf(Locale.ROOT, "CPU of a wake with %d viewers beside none: %.3f%n", VIEWERS, with / without);
    }

    private interface MeasuredLoad {
        LoadGenerator.Result run() throws IOException;
    }

    private static double watched(List<ConsoleViewer> viewers, MeasuredLoad measuredLoad) throws Exception {
        ScheduledExecutorService eyes = Executors.newScheduledThreadPool(2);
        try {
            List<ScheduledFuture<?>> looking = new ArrayList<>();
            for (int i = 0; i < viewers.size(); i++) {
                ConsoleViewer viewer = viewers.get(i);
                looking.add(eyes.scheduleAtFixedRate(
                        () -> look(viewer),
                        i * 1_000L * LIVE_SECONDS / viewers.size(),
                        1_000L * LIVE_SECONDS,
                        TimeUnit.MILLISECONDS));
            }
            double micros = measuredLoad.run().cpuMicrosEach();
            for (ScheduledFuture<?> each : looking) {
                if (each.isDone()) {
                    each.get(); // it has failed, and says how
                }
            }
            return micros;
        } finally {
            eyes.shutdown();
            eyes.awaitTermination(1, TimeUnit.MINUTES);
        }
    }

    private static void look(ConsoleViewer viewer) {
        try {
            viewer.look("requests");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Puts runs that ended into the database of a Postern that is stopped, a tenth of them failed. */
    private static void fill(Path database) throws SQLException {
        long now = System.currentTimeMillis();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database)) {
            connection.setAutoCommit(false);
            try (PreparedStatement insert = connection.prepareStatement(
                    "INSERT INTO run (id, session_key, seq, agent_id, state, attempts, message, name, wake_mode, deliver,"
                            + " channel, model, timeout_ms, hook, trusted, body_bytes, body_sha256, accepted_at,"
                            + " started_at, finished_at, reply) VALUES (?, ?, ?, 'main', ?, 1, 'bench', 'Bench', 'now', 0,"
                            + " 'last', 'offline/echo', 60000, 'agent', 0, 20, '', ?, ?, ?, 'bench')")) {
                for (int i = 0; i < RUNS; i++) {
                    long at = now - (RUNS - i) * 100L;
                    insert.setString(1, String.format(Locale.ROOT, "run_0%025d", i));
                    insert.setString(2, "hook:bench:" + i % 1_000);
                    insert.setInt(3, i);
                    insert.setString(4, i % 10 == 0 ? "failed" : "succeeded");
                    insert.setLong(5, at);
                    insert.setLong(6, at);
                    insert.setLong(7, at + 50);
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            connection.commit();
        }
    }
}
