package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postern.it.ProofReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A test of a disk that fails each system call in turn that accepting a request takes, as strace makes the kernel say. It needs
 * strace, and the right to trace.
 */
@Tag("long")
@Timeout(600)
@Tag("disk")
class DiskFaultIT {

    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final String ACCEPTED =
            "SELECT message FROM run UNION ALL SELECT text FROM event WHERE kind = 'wake'";

    /** The calls that fail in turn. An acceptance takes fewer than 40, so that the last fault of the long test finds none. */
    private static final int MOST_CALLS = Integer.getInteger("it.disk.calls", 3);

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    /** @param which the calls from the nth on, or that one alone */
    @ParameterizedTest(name = "{0}: {1}, {2}")
    @CsvSource({
        "pwrite64, EIO, %d",
        "pwrite64, EIO, %d+",
        "pwrite64, ENOSPC, %d+",
        "pwrite64, EINTR, %d",
        "'fsync,fdatasync', EIO, %d",
        "'fsync,fdatasync', EIO, %d+"
    })
    void acceptsNothingThatIsNotThere(String calls, String error, String which) throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(HomeFixture.hooks(), "agents: {defaults: {heartbeat: {every: 0}}}");
        PosternProcess postern = home.start();
        HookSender sender = postern.sender();
        assumeTrue(Strace.isAllowed(postern.pid()), "strace has to be installed and allowed to trace");
        accept(sender, "warm up");
        Set<String> accepted = new HashSet<>();
        Set<String> refused = new HashSet<>();
        int faults = 0;
        int uncertain = 0;
        for (int call = 1; call <= MOST_CALLS; call++) {
            String text = "call " + call;
            PosternResponse response;
            boolean isInjected;
            try (Strace strace = Strace.attach(postern.pid(), calls, error, which.formatted(call))) {
                response = sender.post("agent", message(text));
                isInjected = strace.hasInjected();
            }
            if (response.status() == 202) {
                accepted.add(text);
            } else {
                assertThat(response.status()).as(text).isEqualTo(503);
                assertThat(response.header("Retry-After")).isNotBlank();
                if (response.text("error").endsWith("Nothing was accepted.")) {
                    refused.add(text);
                } else {
                    uncertain++;
                }
            }
            await("recovery after " + text).atMost(LONGEST).untilAsserted(() -> accept(sender, "after " + text));
            accepted.add("after " + text);
            if (!isInjected) {
                break;
            }
            faults++;
        }
        assertThat(faults).isPositive();
        assertThat(postern.stop()).isZero();

        List<String> kept = new ArrayList<>();
        try (HomeDatabase database = HomeDatabase.open(home.directory().resolve("data/postern.db"))) {
            kept.addAll(database.column(ACCEPTED));
            assertThat(database.column("PRAGMA integrity_check")).containsExactly("ok");
            assertThat(database.column("SELECT id FROM run WHERE state NOT IN ('succeeded', 'queued')"))
                    .isEmpty();
        }
        assertThat(new HashSet<>(kept)).as("nothing is lost").containsAll(accepted);
        assertThat(refused).as("nothing is half done").noneMatch(kept::contains);
        assertThat(kept).as("nothing is done twice").doesNotHaveDuplicates();
        String figures = String.format(
                "%s fails with %s (%s): %d faults, %d accepted and all there, %d refused and none there, %d uncertain",
                calls,
                error,
                which.endsWith("+") ? "from the nth on" : "the nth",
                faults,
                accepted.size(),
                refused.size(),
                uncertain);
        System.out.println(figures);
        ProofReport.add("disk", figures);
    }

    private static String message(String text) {
        return "{\"message\":\"" + text + "\",\"deliver\":false,\"wakeMode\":\"next-heartbeat\"}";
    }

    private static void accept(HookSender sender, String text) throws Exception {
        assertThat(sender.post("agent", message(text), "Idempotency-Key", text).status())
                .isEqualTo(202);
    }

    /** A strace on a process, which makes one call of some kinds fail. */
    private static final class Strace implements AutoCloseable {

        private final Process process;
        private final Path log;

        private Strace(Process process, Path log) {
            this.process = process;
            this.log = log;
        }

        static boolean isAllowed(long pid) throws Exception {
            Path log = Files.createTempFile("strace", ".log");
            try {
                Process process = new ProcessBuilder("strace", "-f", "-e", "trace=none", "-p", "" + pid)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
                await().atMost(LONGEST).until(() -> !process.isAlive() || isAttached(log));
                boolean isAllowed = process.isAlive();
                process.destroy();
                process.waitFor();
                return isAllowed;
            } catch (IOException notInstalled) {
                return false;
            }
        }

        /** Makes {@code which} of the {@code calls} of each thread fail with {@code error}. */
        static Strace attach(long pid, String calls, String error, String which) throws Exception {
            Path log = Files.createTempFile("strace", ".log");
            Process process = new ProcessBuilder(
                            "strace",
                            "-f",
                            "-e",
                            "trace=" + calls,
                            "-e",
                            "inject=" + calls + ":error=" + error + ":when=" + which,
                            "-p",
                            "" + pid)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            await().atMost(LONGEST).until(() -> isAttached(log));
            return new Strace(process, log);
        }

        private static boolean isAttached(Path log) throws Exception {
            return Files.readString(log).contains(" attached");
        }

        boolean hasInjected() throws Exception {
            return Files.readString(log).contains("(INJECTED)");
        }

        @Override
        public void close() {
            process.destroy();
            process.onExit().join();
        }
    }
}
