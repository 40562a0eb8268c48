package dev.postern.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.MappingSettings.Encoding;
import dev.postern.it.ProofReport;
import dev.postern.model.Secret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.catalina.CredentialHandler;
import org.apache.catalina.realm.MessageDigestCredentialHandler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that the time of a comparison does not tell how much of a secret was guessed, as dudect does (Reparaz, Balasch and
 * Verbauwhede, "Dude, is my code constant time?", 2017). Guesses that are right but for their end, and guesses that are that
 * near to another secret, are timed in random order, and Welch's t-test compares their times. So both kinds of guesses are the
 * same texts. {@code -Dit.samples=1000000} is the long one.
 */
@Tag("timing")
class ComparisonTimingTest {

    private static final int SAMPLES = Integer.getInteger("it.samples", 100_000);
    private static final double MOST = 4.5;
    private static final int SECRETS = 64;
    private static final int DIGITS = 64;
    private static final int WRONG_AT_END = 8;

    /** The share of the times that count; the others are those of interrupts and collections. */
    private static final double COUNTED = 0.9;

    private static final byte[] BODY = "{}".getBytes(StandardCharsets.UTF_8);

    private final Random random = new Random(1);

    /**
     * A comparison with one secret.
     *
     * @param right the right guess, {@link #DIGITS} hex digits
     */
    private record Comparison(String right, Consumer<String> compare) {}

    @Test
    void tokensTakeTheSameTimeHoweverMuchIsRight() {
        assertSameTime("tokens", comparisons(this::ofToken));
    }

    @Test
    void signaturesTakeTheSameTimeHoweverMuchIsRight() {
        assertSameTime("signatures", comparisons(this::ofSignature));
    }

    /** Tomcat compares the console's passwords where Postern brings its own server. */
    @Test
    void passwordsTakeTheSameTimeHoweverMuchIsRight() {
        assertSameTime("passwords", comparisons(this::ofPassword));
    }

    private void assertSameTime(String secrets, List<Comparison> comparisons) {
        double t = t(comparisons);

        assertThat(t).isBetween(-MOST, MOST);
        ProofReport.add("timing", String.format("%d comparisons of %s: t = %.2f", SAMPLES, secrets, t));
    }

    @Test
    void findsOutComparisonThatStopsAtTheFirstDifference() {
        assertThat(t(comparisons(this::ofText))).isGreaterThan(MOST);
    }

    private static List<Comparison> comparisons(Supplier<Comparison> maker) {
        return IntStream.range(0, SECRETS).mapToObj(each -> maker.get()).toList();
    }

    private Comparison ofToken() {
        String token = hex();
        HookTokens tokens = new HookTokens(List.of(new Secret(token)));
        return new Comparison(token, tokens::contains);
    }

    private Comparison ofSignature() {
        String secret = hex();
        SigningKeys keys = SigningKeys.ofText(List.of(new Secret(secret)), "HmacSHA256", Encoding.HEX);
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
            String right = HexFormat.of().formatHex(mac.doFinal(BODY));
            return new Comparison(right, guess -> keys.error(List.of(guess), new byte[0], BODY));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private Comparison ofPassword() {
        String password = hex();
        CredentialHandler handler = new MessageDigestCredentialHandler();
        return new Comparison(password, guess -> handler.matches(guess, password));
    }

    private Comparison ofText() {
        String secret = hex();
        return new Comparison(secret, guess -> {
            for (int i = 0; i < DIGITS && guess.charAt(i) == secret.charAt(i); i++) {
                Thread.onSpinWait();
            }
        });
    }

    /** Welch's t of the times for guesses that are nearly right, and for those that are nearly another secret. */
    private double t(List<Comparison> comparisons) {
        boolean[] isNear = new boolean[SAMPLES];
        double[] nanos = new double[SAMPLES];
        for (int run = 0; run < 2; run++) { // the first one warms up
            for (int i = 0; i < SAMPLES; i++) {
                int secret = random.nextInt(SECRETS);
                int other = (secret + 1 + random.nextInt(SECRETS - 1)) % SECRETS;
                // Both are made, in either order, so that caches don't know the one that is tried.
                boolean isNearFirst = random.nextBoolean();
                String tail = hex();
                String first =
                        guess(comparisons.get(isNearFirst ? secret : other).right(), tail);
                String second =
                        guess(comparisons.get(isNearFirst ? other : secret).right(), tail);
                isNear[i] = random.nextBoolean();
                String text = isNear[i] == isNearFirst ? first : second;
                Consumer<String> compare = comparisons.get(secret).compare();
                long start = System.nanoTime();
                compare.accept(text);
                nanos[i] = System.nanoTime() - start;
            }
        }
        double[] sorted = nanos.clone();
        Arrays.sort(sorted);
        double longest = sorted[(int) (SAMPLES * COUNTED)];
        Moments near = new Moments();
        Moments far = new Moments();
        for (int i = 0; i < SAMPLES; i++) {
            if (nanos[i] <= longest) {
                (isNear[i] ? near : far).add(nanos[i]);
            }
        }
        double t = (near.mean - far.mean) / Math.sqrt(near.variance() / near.count + far.variance() / far.count);
        System.out.printf("timing: %.1f ns near, %.1f ns far, t = %.2f%n", near.mean, far.mean, t);
        return t;
    }

    /** All of {@code right} but its end, which is that of {@code tail}. */
    private static String guess(String right, String tail) {
        return right.substring(0, DIGITS - WRONG_AT_END) + tail.substring(DIGITS - WRONG_AT_END);
    }

    private String hex() {
        byte[] bytes = new byte[DIGITS / 2];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** The mean and the variance of values, which are added up one by one (Welford). */
    private static final class Moments {

        private long count;
        private double mean;
        private double squares;

        void add(double value) {
            count++;
            double delta = value - mean;
            mean += delta / count;
            squares += delta * (value - mean);
        }

        double variance() {
            return squares / (count - 1);
        }
    }
}
