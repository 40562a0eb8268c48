package dev.postern.access;

import dev.postern.config.SenderSettings;
import dev.postern.model.Secret;
import dev.postern.model.Sha256;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A benchmark of admission by the token that opens every hook, and by that of a sender with a rate. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
public class SenderBench {

    private static final String TOKEN = "a-token-that-is-long-enough-01";
    private static final String HOOK = "wake";

    /** Number of senders. */
    @Param({"0", "1", "1000"})
    public int senders;

    private HookAuthenticator hookAuthenticator;
    private SenderGuard senderGuard;
    private HeaderLookup ofAll;
    private HeaderLookup ofSender;

    /** Makes the senders. */
    @Setup
    public void start() {
        List<SenderSettings> settings = new ArrayList<>();
        for (int i = 0; i < senders; i++) {
            settings.add(sender(i));
        }
        hookAuthenticator = new HookAuthenticator(
                List.of(new Secret(TOKEN)),
                settings,
                List.of(),
                new AuthenticationFailures(
                        new FailureThrottle(20, Duration.ofMinutes(1), Duration.ofMinutes(1), System::nanoTime)),
                InstantSource.system());
        senderGuard = new SenderGuard(settings, System::nanoTime);
        ofAll = RequestHeaders.bearer(TOKEN);
        ofSender = RequestHeaders.bearer(senders == 0 ? TOKEN : token(senders / 2));
    }

    /** One request with the token that opens every hook. */
    @Benchmark
    public Object tokenOfAllHooks() {
        return admit(ofAll);
    }

    /** One request with a sender's token; without senders the same as the other. */
    @Benchmark
    public Object tokenOfSender() {
        return admit(ofSender);
    }

    private Object admit(HeaderLookup request) {
        AuthenticationResult result = hookAuthenticator.authenticate("192.0.2.7", request);
        return result instanceof AuthenticationResult.Admitted admitted && admitted.sender() != null
                ? senderGuard.decide(admitted.sender(), HOOK)
                : result;
    }

    private static String token(int number) {
        return "pst_a-token-of-a-sender-" + number;
    }

    private static SenderSettings sender(int number) {
        return new SenderSettings(
                "sender-" + number,
                List.of(HexFormat.of().formatHex(Sha256.of(token(number)))),
                List.of(HOOK),
                new SenderSettings.Scope(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()),
                null,
                false,
                new SenderSettings.Rate(1_000_000_000, Duration.ofMinutes(1)),
                null);
    }
}
