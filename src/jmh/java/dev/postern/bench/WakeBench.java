package dev.postern.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * A benchmark of the CPU and throughput of durable wakes and of rejections, beside a bare Jersey and Jackson resource
 * that stores nothing. It alternates between the servers, since machines are noisy; compare within one run.
 *
 * <p>Arguments: the WAR, and optionally the seconds of one stretch (5).
 */
public final class WakeBench {

    private static final int CONNECTIONS = 64;
    private static final int WARM_UPS = 4;
    private static final int ROUNDS = 3;
    private static final int BODY_BYTES = 200;
    private static final int FAILURES_BEFORE_A_LOCKOUT = 20;

    private WakeBench() {}

    /** Runs the bench and prints what it measured. */
    public static void main(String[] args) throws Exception {
        Duration stretch = Duration.ofSeconds(args.length > 1 ? Long.parseLong(args[1]) : 5);
        Path folder = Files.createTempDirectory("postern-bench");
        Path home = folder.resolve("home");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String body = body();
        try (MeasuredServer postern = MeasuredServer.start(
                        List.of(java, "-jar", args[0], "--port", "0", "--home", home.toString()),
                        folder.resolve("postern.log"));
                MeasuredServer bare = MeasuredServer.start(
                        List.of(java, "-cp", System.getProperty("java.class.path"), BareServer.class.getName()),
                        folder.resolve("bare.log"))) {
            System.out.println("resident after start: postern " + postern.residentMiB() + " MiB, bare "
                    + bare.residentMiB() + " MiB");
            String token = Files.readString(home.resolve("secrets/hook-token")).strip();
            LoadGenerator wake = new LoadGenerator(LoadGenerator.post("/hooks/wake", token, body), 200);
            LoadGenerator refusal = new LoadGenerator(LoadGenerator.post("/hooks/wake", "wrong", body), 429);
            for (int i = 0; i < WARM_UPS; i++) {
                wake.run(bare, CONNECTIONS, stretch);
                wake.run(postern, CONNECTIONS, stretch);
            }
            for (int round = 1; round <= ROUNDS; round++) {
                LoadGenerator.Result bareWakes =
                        print("bare Jersey, 64 connections", wake.run(bare, CONNECTIONS, stretch));
                LoadGenerator.Result wakes =
                        print("durable wake, 64 connections", wake.run(postern, CONNECTIONS, stretch));
                LoadGenerator.Result alone = print("durable wake, 1 connection", wake.run(postern, 1, stretch));
                refusal.send(postern, FAILURES_BEFORE_A_LOCKOUT);
                LoadGenerator.Result refusals =
                        print("refusal, 64 connections", refusal.run(postern, CONNECTIONS, stretch));
                System.out.printf(
                        Locale.ROOT,
                        "CPU beside bare Jersey: a wake %.2f, a refusal %.2f; 64 connections beside 1: %.1f%n",
                        wakes.cpuMicrosEach() / bareWakes.cpuMicrosEach(),
                        refusals.cpuMicrosEach() / bareWakes.cpuMicrosEach(),
                        wakes.perSecond() / alone.perSecond());
            }
            System.out.println("resident after load: postern " + postern.residentMiB() + " MiB, bare "
                    + bare.residentMiB() + " MiB");
        }
    }

    private static LoadGenerator.Result print(String what, LoadGenerator.Result result) {
        System.out.printf("%-32s %s%n", what, result);
        return result;
    }

    private static String body() {
        String frame = "{\"text\":\"\",\"mode\":\"next-heartbeat\"}";
        return frame.replace("\"\"", "\"" + "x".repeat(BODY_BYTES - frame.length()) + "\"");
    }
}
