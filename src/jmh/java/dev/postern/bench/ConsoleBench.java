package dev.postern.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.jspecify.annotations.Nullable;

/**
 * A benchmark of the console with 1,000,000 requests, 200,000 runs and 10,000 kept payloads behind it, on SQLite and on
 * PostgreSQL: the time and the size of its pages. With SQLite also the cost of a wake while 20 viewers have a live page open.
 *
 * <p>Arguments: the WAR, and optionally the seconds of one stretch (5).
 */
public final class ConsoleBench {

    private static final int RUNS = 200_000;
    private static final int REQUESTS = 1_000_000;
    private static final int PAYLOADS = 10_000;
    private static final int PAYLOAD_BYTES = 2_000;
    private static final int VIEWERS = 20;
    private static final int LIVE_SECONDS = 3;
    private static final int CONNECTIONS = 64;
    private static final int ROUNDS = 5;
    private static final int WARM_UPS = 50;
    private static final int LOOKS = 100;
    private static final Pattern ASSET = Pattern.compile("(?:href|src)=\"/console/(assets/[^\"]+)\"");
    private static final Pattern REQUEST = Pattern.compile("/console/(requests/req_[0-9a-z]+)");
    private static final Pattern RUN = Pattern.compile("/console/(runs/run_[0-9a-z]+)");
    private static final List<String> PLACES = List.of(
            "",
            "?range=15m",
            "?range=24h",
            "?range=7d",
            "hooks",
            "senders",
            "requests",
            "requests?outcome=refused",
            "requests?hook=hook-7",
            "requests?code=mapping_failed",
            "requests?text=number%20777770",
            "requests?text=nothing",
            "requests/failed",
            "runs",
            "runs?status=failed",
            "runs?status=cancelled",
            "runs?hook=hook-7",
            "runs?hook=hook-7&status=cancelled",
            "runs?session=hook:bench:7",
            "runs?model=openai/bench",
            "runs?error=attempt%20777",
            "runs?sort=oldest",
            "runs?sort=longest",
            "runs?sort=longest&hook=hook-7",
            "sessions",
            "session?key=main:main",
            "deliveries",
            "deliveries?status=failed",
            "inbox",
            "nodes",
            "try",
            "settings",
            "audit");

    private ConsoleBench() {}

    /** Runs the bench and prints what it measured. */
    public static void main(String[] args) throws Exception {
        Duration stretch = Duration.ofSeconds(args.length > 1 ? Long.parseLong(args[1]) : 5);
        Path folder = Files.createTempDirectory("postern-bench");
        System.out.println("SQLite");
        Path home = folder.resolve("sqlite");
        measure(args[0], home, null, "jdbc:sqlite:" + home.resolve("data/postern.db"), stretch);
        System.out.println("PostgreSQL");
        try (DurablePostgres database = DurablePostgres.start(folder.resolve("postgres"))) {
            measure(args[0], folder.resolve("postgresql"), database.url(), database.url(), null);
        }
    }

    private static void measure(
            String war, Path home, @Nullable String setting, String database, @Nullable Duration stretch)
            throws Exception {
        List<String> command = command(war, home, setting);
        Path log = home.resolveSibling(home.getFileName() + ".log");
        MeasuredServer.start(command, log).close();
        ConsoleTables.fill(database, REQUESTS, RUNS);
        try (MeasuredServer postern = MeasuredServer.start(command, log)) {
            String token = Files.readString(home.resolve("secrets/hook-token")).strip();
            String password =
                    Files.readString(home.resolve("secrets/console-password")).strip();
            LoadGenerator payloads =
                    new LoadGenerator(LoadGenerator.post("/hooks/wake", token, wake(PAYLOAD_BYTES)), 200);
            for (double sent = 0; sent < PAYLOADS; ) {
                sent += payloads.run(postern, CONNECTIONS, Duration.ofSeconds(1))
                        .perSecond();
            }
            pages(new ConsoleViewer(postern.port(), password));
            if (stretch != null) {
                cost(
                        postern,
                        password,
                        new LoadGenerator(LoadGenerator.post("/hooks/wake", token, wake(160)), 200),
                        stretch);
            }
        }
    }

    private static List<String> command(String war, Path home, @Nullable String database) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Dpostern.requests.payloads=all");
        if (database != null) {
            command.add("-Dpostern.database.url=" + database);
        }
        command.addAll(List.of("-jar", war, "--port", "0", "--home", home.toString()));
        return command;
    }

    private static String wake(int characters) {
        return "{\"text\":\"" + "x".repeat(characters) + "\",\"mode\":\"next-heartbeat\"}";
    }

    private static void pages(ConsoleViewer viewer) throws Exception {
        List<String> places = new ArrayList<>(PLACES);
        Matcher run = RUN.matcher(viewer.look("runs").page());
        if (run.find()) {
            places.add(run.group(1));
        }
        Matcher request = REQUEST.matcher(viewer.look("requests").page());
        if (request.find()) {
            places.add(request.group(1));
            places.add(request.group(1) + "/payload");
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
                    "/console/%-36s %6.1f ms median, %6.1f ms slowest of %d, %5.1f KB with its assets%n",
                    place.replaceAll("(req|run)_[0-9a-z]+", "<id>"),
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
}
