package dev.postern.access;

import static dev.postern.access.Sender.OTHER;
import static dev.postern.access.Sender.SECRET;
import static dev.postern.access.Sender.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.MappingSettings.Verify;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignatureVerifierTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final long SECONDS = NOW.getEpochSecond();
    private static final byte[] BODY = text("{\"text\":\"Gr\u00fc\u00dfe \ud83d\ude00\"}\n");
    private static final int HEADER_LIMIT = 8192;

    @ParameterizedTest
    @EnumSource
    void refusesABodyWithAnyByteChanged(Sender sender) {
        Sent sent = sender.sends(SECRET, SECONDS, BODY);

        for (int i = 0; i < BODY.length; i++) {
            byte[] changed = BODY.clone();
            changed[i] ^= 1;
            assertThat(signature(sender, SECRET).verify(sent, changed).content())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesABodyThatIsLongerOrShorterOrGone(Sender sender) {
        Sent sent = sender.sends(SECRET, SECONDS, BODY);

        for (String body : new String[] {"", "{\"text\":\"", "{\"text\":\"Gr\u00fc\u00dfe \ud83d\ude00\"}\n "}) {
            assertThat(signature(sender, SECRET).verify(sent, text(body)).content())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesASignatureWithAnyCharacterChanged(Sender sender) {
        Sent sent = sender.sends(SECRET, SECONDS, BODY);
        String right = sent.value(sender.header);

        for (int i = 0; i < right.length(); i++) {
            String wrong = right.substring(0, i) + (char) (right.charAt(i) ^ 1) + right.substring(i + 1);
            assertThat(signature(sender, SECRET)
                            .verify(sent.instead(sender.header, wrong), BODY)
                            .content())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesASignatureThatIsCutShort(Sender sender) {
        Sent sent = sender.sends(SECRET, SECONDS, BODY);
        String right = sent.value(sender.header);

        for (int length = 0; length < right.length(); length++) {
            Sent cut = sent.instead(sender.header, right.substring(0, length));
            assertThat(signature(sender, SECRET).verify(cut, BODY).content()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesAnotherSecret(Sender sender) {
        Sent sent = sender.sends(OTHER, SECONDS, BODY);

        assertThat(signature(sender, SECRET).verify(sent, BODY).content()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void rejectsRequestWithoutSignature(Sender sender) {
        Sent without = sender.sends(SECRET, SECONDS, BODY).without(sender.header);

        for (HeaderLookup headerLookup : new HeaderLookup[] {without, Sent.nothing(), name -> null}) {
            assertThat(signature(sender, SECRET).isPresent(headerLookup)).isFalse();
            assertThat(signature(sender, SECRET).verify(headerLookup, BODY).content())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesASignatureThatIsSentTwice(Sender sender) {
        Sent sent = sender.sends(SECRET, SECONDS, BODY);
        Sent twice = sent.with(sender.header, sent.value(sender.header));

        assertThat(signature(sender, SECRET).isPresent(twice)).isFalse();
        assertThat(signature(sender, SECRET).verify(twice, BODY).content()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void refusesASignatureOverEightKilobytes(Sender sender) {
        Sent sent = sender.sends(SECRET, SECONDS, BODY);
        String right = sent.value(sender.header);
        String padding = " ".repeat(HEADER_LIMIT - right.length());
        Sent full = sent.instead(sender.header, right + padding);
        Sent over = sent.instead(sender.header, right + padding + " ");

        assertThat(signature(sender, SECRET).isPresent(full)).isTrue();
        assertThat(signature(sender, SECRET).verify(full, BODY).content()).isPresent();
        assertThat(signature(sender, SECRET).isPresent(over)).isFalse();
        assertThat(signature(sender, SECRET).verify(over, BODY).content()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("dev.postern.access.Sender#stamped")
    void refusesATimestampFurtherAwayThanTheTolerance(Sender sender) {
        Sent sent = sender.sends(SECRET, SECONDS, BODY);
        Duration tolerance = Sender.TOLERANCE;
        Duration tick = Duration.ofNanos(1);

        assertThat(at(NOW.plus(tolerance), sender).verify(sent, BODY).content()).isPresent();
        assertThat(at(NOW.minus(tolerance), sender).verify(sent, BODY).content())
                .isPresent();
        assertThat(at(NOW.plus(tolerance).plus(tick), sender).verify(sent, BODY).content())
                .isEmpty();
        assertThat(at(NOW.minus(tolerance).minus(tick), sender)
                        .verify(sent, BODY)
                        .content())
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("dev.postern.access.Sender#stampedInAHeader")
    void rejectsMissingRepeatedOrUnsignedTimestamp(Sender sender) {
        Sent sent = sender.sends(SECRET, SECONDS, BODY);
        SignatureVerifier signature = signature(sender, SECRET);

        assertThat(signature
                        .verify(sent.instead(sender.stamp(), "" + (SECONDS + 1)), BODY)
                        .content())
                .isEmpty();
        assertThat(signature.isPresent(sent.without(sender.stamp()))).isFalse();
        assertThat(signature.verify(sent.without(sender.stamp()), BODY).content())
                .isEmpty();
        sent.with(sender.stamp(), "" + SECONDS);
        assertThat(signature.isPresent(sent)).isFalse();
        assertThat(signature.verify(sent, BODY).content()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "+%d",
                "-%d",
                "%d.0",
                "%d,0",
                "%d ms",
                "%d000",
                "0x%x",
                "%de0",
                "1e9",
                "\u0661%d",
                "/%d",
                ":%d",
                "9999999999999999999999",
                "NaN"
            })
    void refusesATimestampThatIsNotWholeSecondsEvenWhenItIsSigned(String form) {
        String stamp = String.format(form, SECONDS);
        String lead = "v0:" + stamp + ":";
        Sent sent = Sent.nothing()
                .with("x-slack-request-timestamp", stamp)
                .with("x-slack-signature", "v0=" + Sender.hex(Sender.hash("HmacSHA256", text(SECRET), lead, BODY)));

        assertThat(signature(Sender.SLACK, SECRET).verify(sent, BODY).content()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void acceptsWhatTheSenderSigns(Sender sender) {
        for (byte[] body : new byte[][] {BODY, {}, {(byte) 0xff, 0, (byte) 0xfe}}) {
            Sent sent = sender.sends(SECRET, SECONDS, body);

            assertThat(signature(sender, SECRET).isPresent(sent)).isTrue();
            assertThat(signature(sender, SECRET).verify(sent, body).content()).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource
    void acceptsEitherSecretWhileTheyAreRotated(Sender sender) {
        SignatureVerifier both = signature(sender, OTHER, SECRET);

        assertThat(both.verify(sender.sends(SECRET, SECONDS, BODY), BODY).content())
                .isPresent();
        assertThat(both.verify(sender.sends(OTHER, SECONDS, BODY), BODY).content())
                .isPresent();
        assertThat(signature(sender, SECRET, OTHER)
                        .verify(sender.sends(SECRET, SECONDS, BODY), BODY)
                        .content())
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 12345, 999_999_999_999L})
    void acceptsATimestampOfAnyLengthThatSecondsHave(long seconds) {
        Sent sent = Sender.STRIPE.sends(SECRET, seconds, BODY);

        assertThat(at(Instant.ofEpochSecond(seconds), Sender.STRIPE)
                        .verify(sent, BODY)
                        .content())
                .isPresent();
    }

    @Test
    void saysWhetherItIsRequired() {
        Verify plain = Sender.GITHUB.verify(SECRET);
        Verify required = new Verify(plain.scheme(), plain.secrets(), true, plain.form(), null, plain.tolerance());

        assertThat(SignatureVerifier.of(plain, () -> NOW, Sender.NO_TIME).required())
                .isFalse();
        assertThat(SignatureVerifier.of(required, () -> NOW, Sender.NO_TIME).required())
                .isTrue();
    }

    private static SignatureVerifier signature(Sender sender, String... secrets) {
        return SignatureVerifier.of(sender.verify(secrets), () -> NOW, Sender.NO_TIME);
    }

    private static SignatureVerifier at(Instant now, Sender sender) {
        return SignatureVerifier.of(sender.verify(SECRET), () -> now, Sender.NO_TIME);
    }
}
