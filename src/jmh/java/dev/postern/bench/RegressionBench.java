package dev.postern.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * A comparison of the CPU that two WARs take for a wake, a refusal, a mapped request and a page of the console. It starts both,
 * and alternates between them. It ends with exit code 1 if the second one takes a tenth more for the same thing three times in a
 * row, each time in new processes.
 *
 * <p>Arguments: the WAR of the earlier commit, that of the later one, and optionally the seconds of one stretch (3).
 */
public final class RegressionBench {

    private static final double LIMIT = 1.10;
    private static final int ATTEMPTS = 3;
    private static final int WARM_UPS = 3;
    private static final int ROUNDS = 4;
    private static final int CONNECTIONS = 64;
    private static final int FAILURES_BEFORE_A_LOCKOUT = 20;
    private static final String TOKEN = "bench-0123456789abcdefghijklmnopqrstuvwxyz";
    private static final String BODY = "{\"text\":\"" + "x".repeat(160) + "\",\"mode\":\"next-heartbeat\"}";
    private static final String SETTINGS =
            """
            hooks:
              enabled: true
              token: %s
              mappings:
              - {id: mapped, match: {path: mapped}, action: wake, wakeMode: next-heartbeat, textTemplate: 'It says {{payload.text}}'}
            agents: {defaults: {heartbeat: {every: off}}}
            """;

    private RegressionBench() {}

    /** Compares, and prints what it measured. */
    public static void main(String[] args) throws Exception {
        Duration stretch = Duration.ofSeconds(args.length > 2 ? Long.parseLong(args[2]) : 3);
        Set<Work> suspects = new TreeSet<>(List.of(Work.values()));
        for (int attempt = 1; attempt <= ATTEMPTS && !suspects.isEmpty(); attempt++) {
            suspects = slower(Path.of(args[0]), Path.of(args[1]), suspects, stretch);
        }
        if (!suspects.isEmpty()) {
            System.out.printf("Each of these takes a tenth more than before, three times in a row: %s%n", suspects);
            System.exit(1);
        }
    }

    /** The kinds of work that are measured. */
    private enum Work {
        WAKE("/hooks/wake", TOKEN, 200),
        MAPPED("/hooks/mapped", TOKEN, 200),
        PAGE("runs", "", 200),
        REFUSAL("/hooks/wake", "wrong", 429);

        private final String place;
        private final String token;
        private final int status;

        Work(String place, String token, int status) {
            this.place = place;
            this.token = token;
            this.status = status;
        }

        /** The CPU of one, in microseconds. */
        double cost(Candidate candidate, Duration stretch) throws IOException, InterruptedException {
            if (this == PAGE) {
                double before = candidate.server().cpuMicros();
                int looks = candidate.viewer().looksWithin(place, stretch);
                return (candidate.server().cpuMicros() - before) / looks;
            }
            LoadGenerator load = new LoadGenerator(LoadGenerator.post(place, token, BODY), status);
            if (this == REFUSAL) {
                load.send(candidate.server(), FAILURES_BEFORE_A_LOCKOUT);
            }
            return load.run(candidate.server(), CONNECTIONS, stretch).cpuMicrosEach();
        }
    }

    /** A running WAR, and a viewer of its console. */
    private record Candidate(MeasuredServer server, ConsoleViewer viewer) implements AutoCloseable {

        static Candidate start(Path war) throws IOException, InterruptedException {
            Path home = Files.createTempDirectory("postern-bench");
            Path settings = Files.writeString(home.resolve("postern.yaml"), SETTINGS.formatted(TOKEN));
            Files.setPosixFilePermissions(settings, PosixFilePermissions.fromString("rw-------"));
            String java =
                    Path.of(System.getProperty("java.home"), "bin", "java").toString();
            MeasuredServer server = MeasuredServer.start(
                    List.of(java, "-jar", war.toString(), "--port", "0", "--home", home.toString()),
                    home.resolve("log"));
            String password =
                    Files.readString(home.resolve("secrets/console-password")).strip();
            return new Candidate(server, new ConsoleViewer(server.port(), password));
        }

        @Override
        public void close() {
            server.close();
        }
    }

    /** Those of {@code works} that take a tenth more in {@code later}. */
    private static Set<Work> slower(Path earlier, Path later, Set<Work> works, Duration stretch) throws Exception {
        Set<Work> slower = new TreeSet<>();
        try (Candidate before = Candidate.start(earlier);
                Candidate after = Candidate.start(later)) {
            for (int i = 0; i < WARM_UPS; i++) {
                for (Work work : Work.values()) { // all, since what is compiled for one of them serves the others
                    work.cost(before, stretch);
                    work.cost(after, stretch);
                }
            }
            for (Work work : works) {
                double[] costsBefore = new double[ROUNDS];
                double[] costsAfter = new double[ROUNDS];
                for (int round = 0; round < ROUNDS; round++) {
                    boolean isOdd = round % 2 == 1; // what comes second may find the machine warmer
                    costsAfter[round] = isOdd ? work.cost(after, stretch) : 0;
                    costsBefore[round] = work.cost(before, stretch);
                    costsAfter[round] = isOdd ? costsAfter[round] : work.cost(after, stretch);
                }
                double ratio = median(costsAfter) / median(costsBefore);
                System.out.printf(
                        Locale.ROOT,
                        "%-8s %7.1f us before, %7.1f us after: %.2f%n",
                        work,
                        median(costsBefore),
                        median(costsAfter),
                        ratio);
                if (ratio > LIMIT) {
                    slower.add(work);
                }
            }
        }
        return slower;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
