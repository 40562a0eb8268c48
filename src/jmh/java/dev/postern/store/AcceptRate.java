package dev.postern.store;

import com.sun.management.OperatingSystemMXBean;
import dev.postern.acceptance.AcceptanceRule;
import dev.postern.acceptance.CoalescingRequest;
import dev.postern.acceptance.IdempotencyKey;
import dev.postern.acceptance.Intake;
import dev.postern.acceptance.PendingActionCounter;
import dev.postern.acceptance.PendingLimits;
import dev.postern.acceptance.Submission;
import dev.postern.acceptance.SubmissionSource;
import dev.postern.channel.Channel;
import dev.postern.channel.ChannelRegistry;
import dev.postern.channel.DeliveryRepository;
import dev.postern.channel.EventReporter;
import dev.postern.channel.HookDeliveryWriter;
import dev.postern.model.AllowedAction;
import dev.postern.model.CoalescingRule;
import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import dev.postern.model.IdGenerator;
import dev.postern.model.OperatorInstructions;
import dev.postern.model.Provenance;
import dev.postern.model.Recipient;
import dev.postern.model.RequestOrigin;
import dev.postern.model.Secret;
import dev.postern.model.SessionKey;
import dev.postern.model.WakeMode;
import dev.postern.requests.PayloadBench;
import dev.postern.requests.RequestTable;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A benchmark of durable acceptance: how many actions a second are accepted, and what one costs. Run by hand:
 *
 * <pre>
 * mvn test-compile dependency:build-classpath -Dmdep.outputFile=target/cp
 * javac -d target/jmh -cp target/classes:$(cat target/cp) src/jmh/java/dev/postern/store/AcceptRate.java
 * java -cp target/jmh:target/classes:$(cat target/cp) dev.postern.store.AcceptRate &lt;directory&gt; [threads] [seconds] [jdbc url]
 * </pre>
 *
 * <p>The callers are in the same process, so their CPU time is included in the results. HTTP is not.
 */
public final class AcceptRate {

    private static final IdGenerator IDS = new IdGenerator(InstantSource.system());
    private static final String TEXT = "x".repeat(300);
    private static final byte[] PAYLOAD = "x".repeat(2_000).getBytes(StandardCharsets.UTF_8);
    private static final Map<String, String> HEADERS =
            Map.of("host", "example.com", "user-agent", "GitHub-Hookshot/1", "content-type", "application/json");
    private static final CoalescingRule RULE =
            new CoalescingRule(Duration.ofSeconds(30), Duration.ofMinutes(5), false, 100);
    private static final String CHANNEL = "ops";
    private static final PayloadBench PAYLOADS = new PayloadBench();

    private AcceptRate() {}

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        int threads = args.length > 1 ? Integer.parseInt(args[1]) : 64;
        Duration time = Duration.ofSeconds(args.length > 2 ? Integer.parseInt(args[2]) : 5);
        String url = args.length > 3 ? args[3] : null;
        for (Load load : Load.values()) {
            Path home = Files.createTempDirectory(directory, "rate");
            InstantSource clock = InstantSource.system();
            try (Store store = url == null
                    ? Store.open(home, "rate", clock)
                    : Store.open(url, "postgres", new Secret("postgres"), home, "rate", clock)) {
                PendingActionCounter pending = PendingActionCounter.of(store, System::nanoTime);
                Intake intake = new Intake(
                        store,
                        clock,
                        new IdGenerator(clock),
                        pending,
                        PendingLimits.of(Integer.MAX_VALUE),
                        Duration.ofHours(24),
                        AcceptanceRule.NONE,
                        new RequestTable("node_1", 1L << 29, System::nanoTime),
                        deliveryWriter());
                int callers = load == Load.WAKE_ALONE ? 1 : threads;
                measure(load, store, intake, callers, Duration.ofSeconds(2));
                System.out.println(measure(load, store, intake, callers, time));
            }
        }
    }

    /** A writer for deliveries to one channel, which nobody sends. */
    private static HookDeliveryWriter deliveryWriter() {
        ChannelRegistry channels = new ChannelRegistry(Map.of(CHANNEL, new UnusedChannel()));
        return new HookDeliveryWriter(
                new DeliveryRepository(
                        channels, IDS, new EventReporter(channels, IDS), (sql, count) -> {}, agent -> Optional.empty()),
                channels,
                () -> {});
    }

    private static String measure(Load load, Store store, Intake intake, int callers, Duration time)
            throws InterruptedException {
        StoreMetrics before = store.metrics();
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong done = new AtomicLong();
        long[][] nanos = new long[callers][];
        Thread[] threads = new Thread[callers];
        long cpu = system.getProcessCpuTime();
        long cpuOfCommits = cpuOf("postern-rate-commit");
        long start = System.nanoTime();
        for (int i = 0; i < callers; i++) {
            int caller = i;
            threads[i] = new Thread(() -> nanos[caller] = call(load, intake, over, done), "caller-" + i);
            threads[i].start();
        }
        Thread.sleep(time.toMillis());
        over.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        double writing = (cpuOf("postern-rate-commit") - cpuOfCommits) / 1e3 / done.get();
        double micros = (system.getProcessCpuTime() - cpu) / 1e3 / done.get();
        long[] all = Arrays.stream(nanos).flatMapToLong(Arrays::stream).sorted().toArray();
        StoreMetrics after = store.metrics();
        long commits = after.commits() - before.commits();
        return String.format(
                Locale.ROOT,
                "%-16s %3d callers  %7.0f/s  p50 %.2f ms  p99 %.2f ms  %.1f us CPU each (%.1f committing)  %.1f a commit, %.2f ms each",
                load,
                callers,
                done.get() / seconds,
                all[all.length / 2] / 1e6,
                all[(int) (all.length * 0.99)] / 1e6,
                micros,
                writing,
                (double) done.get() / commits,
                after.totalCommit().minus(before.totalCommit()).toNanos() / 1e6 / commits);
    }

    private static long cpuOf(String name) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(info -> info != null && info.getThreadName().equals(name))
                .mapToLong(info -> threads.getThreadCpuTime(info.getThreadId()))
                .sum();
    }

    private static long[] call(Load load, Intake intake, AtomicBoolean over, AtomicLong done) {
        long[] times = new long[1 << 12];
        int count = 0;
        while (!over.get()) {
            Submission submission = load.next.get();
            long start = System.nanoTime();
            HookResult answer = intake.accept(submission);
            if (!(answer instanceof HookResult.Accepted)) {
                throw new IllegalStateException(answer.toString());
            }
            times[count++ % times.length] = System.nanoTime() - start;
        }
        done.addAndGet(count);
        return Arrays.copyOf(times, Math.min(count, times.length));
    }

    private static SubmissionSource source() {
        return new SubmissionSource(origin(), "wake", "", Instant.now(), null, null);
    }

    /** The source of a request whose payload of 2 KB is kept. */
    private static SubmissionSource sourceWithPayload() {
        RequestOrigin origin = origin();
        HookRequest request = new HookRequest(
                /* hook= */ "wake",
                /* body= */ PAYLOAD,
                /* headers= */ HEADERS,
                /* query= */ Map.of(),
                /* signed= */ null,
                /* bySignature= */ false,
                /* idempotencyKey= */ null,
                /* receivedAt= */ Instant.now(),
                origin,
                /* trace= */ null);
        return new SubmissionSource(origin, "wake", "", Instant.now(), PAYLOADS.seal(request), null);
    }

    private static RequestOrigin origin() {
        return new RequestOrigin(IDS.request(), "192.0.2.1", "token", System.nanoTime());
    }

    /** One of 50 groups that are open most of the time. */
    private static CoalescingRequest group() {
        return new CoalescingRequest("group " + ThreadLocalRandom.current().nextInt(50), RULE);
    }

    private static AllowedAction wake() {
        return new AllowedAction.Wake("main", TEXT, WakeMode.NOW, Provenance.untrusted("wake"));
    }

    private static AllowedAction delivery() {
        return new AllowedAction.DirectDelivery(
                TEXT, new Recipient(CHANNEL, "everybody"), Provenance.untrusted("deliver"));
    }

    private static AllowedAction turn() {
        return new AllowedAction.Turn(
                /* agentId= */ "main",
                /* sessionKey= */ new SessionKey("hook:" + UUID.randomUUID()),
                /* message= */ TEXT,
                /* name= */ "Hook",
                /* wakeMode= */ WakeMode.NOW,
                /* deliver= */ true,
                /* recipient= */ Recipient.last(),
                /* model= */ "offline/echo",
                /* thinking= */ null,
                /* timeout= */ Duration.ofMinutes(10),
                /* provenance= */ Provenance.untrusted("agent"),
                /* operatorInstructions= */ OperatorInstructions.NONE);
    }

    /** A channel that takes any recipient. */
    private static final class UnusedChannel implements Channel {

        @Override
        public List<String> parts(String reply) {
            return List.of(reply);
        }

        @Override
        public @Nullable String refusal(@Nullable String to) {
            return null;
        }

        @Override
        public Outcome send(Message message) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Probe probe() {
            return new Probe.Unasked("it is not used");
        }
    }

    @SuppressWarnings("ImmutableEnumChecker") // each supplier makes a submission and keeps nothing
    private enum Load {
        WAKE_ALONE(() -> new Submission(List.of(wake()), null, 300, "00", null, source())),
        WAKE_UNLOGGED(() -> new Submission(List.of(wake()), null, 300, "00", null, null)),
        WAKE(() -> new Submission(List.of(wake()), null, 300, "00", null, source())),
        WAKE_KEPT(() -> new Submission(List.of(wake()), null, 300, "00", null, sourceWithPayload())),
        WAKE_WITH_KEY(() -> new Submission(
                List.of(wake()),
                new IdempotencyKey(UUID.randomUUID().toString(), new byte[] {0}),
                300,
                "00",
                null,
                source())),
        DELIVERY(() -> new Submission(List.of(delivery()), null, 300, "00", null, source())),
        TURN(() -> new Submission(List.of(turn()), null, 300, "00", null, source())),
        TURN_JOINING(() -> new Submission(List.of(turn()), null, 300, "00", null, source()).within(group()));

        private final Supplier<Submission> next;

        Load(Supplier<Submission> next) {
            this.next = next;
        }
    }
}
