package dev.postern.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * A benchmark of durable wakes with one, two and three nodes on one PostgreSQL that waits for its disk. It shows how
 * many are accepted, and what one costs the nodes and the database. If all of them share a machine, as here, only the
 * costs are meaningful.
 *
 * <p>Arguments: the WAR, and optionally the seconds of one stretch (5).
 */
public final class ClusterBench {

    private static final int NODES = 3;
    private static final int CONNECTIONS = 32;
    private static final int WARM_UPS = 8;
    private static final int ROUNDS = 3;
    private static final String BODY = "{\"text\":\"" + "x".repeat(160) + "\",\"mode\":\"next-heartbeat\"}";

    private ClusterBench() {}

    /** Runs the bench and prints what it measured. */
    public static void main(String[] args) throws Exception {
        Duration stretch = Duration.ofSeconds(args.length > 1 ? Long.parseLong(args[1]) : 5);
        Path folder = Files.createTempDirectory("postern-bench");
        List<MeasuredServer> nodes = new ArrayList<>();
        List<LoadGenerator> loads = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(NODES);
        try (DurablePostgres database = DurablePostgres.start(folder.resolve("postgres"))) {
            try {
                for (int i = 0; i < NODES; i++) {
                    Path home = folder.resolve("home" + i);
                    nodes.add(MeasuredServer.start(
                            command(args[0], home, database.url()), folder.resolve("node" + i + ".log")));
                    String token =
                            Files.readString(home.resolve("secrets/hook-token")).strip();
                    loads.add(new LoadGenerator(LoadGenerator.post("/hooks/wake", token, BODY), 200));
                }
                for (int i = 0; i < WARM_UPS; i++) {
                    run(nodes, loads, stretch, threads);
                }
                for (int round = 1; round <= ROUNDS; round++) {
                    for (int count = 1; count <= NODES; count++) {
                        measure(database, nodes.subList(0, count), loads, stretch, threads);
                    }
                }
            } finally {
                nodes.forEach(MeasuredServer::close);
                threads.shutdownNow();
            }
        }
    }

    private static List<String> command(String war, Path home, String url) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dpostern.database.url=" + url,
                "-jar",
                war,
                "--port",
                "0",
                "--home",
                home.toString());
    }

    private static void measure(
            DurablePostgres database,
            List<MeasuredServer> nodes,
            List<LoadGenerator> loads,
            Duration stretch,
            ExecutorService threads)
            throws Exception {
        database.run("TRUNCATE event");
        database.run("CHECKPOINT");
        double nodesBefore =
                nodes.stream().mapToDouble(MeasuredServer::cpuMicros).sum();
        double databaseBefore = database.cpuMicros();
        long commitsBefore = database.commits();
        double perSecond = run(nodes, loads, stretch, threads);
        double accepted = perSecond * stretch.toSeconds();
        System.out.printf(
                Locale.ROOT,
                "%d of %d nodes: %6.0f wakes/s; CPU each: nodes %5.1f us, database %5.1f us; %4.1f wakes a transaction%n",
                nodes.size(),
                NODES,
                perSecond,
                (nodes.stream().mapToDouble(MeasuredServer::cpuMicros).sum() - nodesBefore) / accepted,
                (database.cpuMicros() - databaseBefore) / accepted,
                accepted / (database.commits() - commitsBefore));
    }

    /** Loads all of {@code nodes} at once; returns how many wakes were accepted in a second. */
    private static double run(
            List<MeasuredServer> nodes, List<LoadGenerator> loads, Duration stretch, ExecutorService threads)
            throws Exception {
        List<Future<LoadGenerator.Result>> running = IntStream.range(0, nodes.size())
                .mapToObj(i -> threads.submit(() -> loads.get(i).run(nodes.get(i), CONNECTIONS, stretch)))
                .toList();
        double perSecond = 0;
        for (Future<LoadGenerator.Result> each : running) {
            perSecond += each.get().perSecond();
        }
        return perSecond;
    }
}
