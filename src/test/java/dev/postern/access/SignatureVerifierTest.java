package dev.postern.access;

import static dev.postern.access.SigningVendor.OTHER;
import static dev.postern.access.SigningVendor.SECRET;
import static dev.postern.access.SigningVendor.text;
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
    void refusesABodyWithAnyByteChanged(SigningVendor signingVendor) {
        RequestHeaders requestHeaders = signingVendor.signedHeaders(SECRET, SECONDS, BODY);

        for (int i = 0; i < BODY.length; i++) {
            byte[] changed = BODY.clone();
            changed[i] ^= 1;
            assertThat(signature(signingVendor, SECRET)
                            .verify(requestHeaders, changed)
                            .content())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesABodyThatIsLongerOrShorterOrGone(SigningVendor signingVendor) {
        RequestHeaders requestHeaders = signingVendor.signedHeaders(SECRET, SECONDS, BODY);

        for (String body : new String[] {"", "{\"text\":\"", "{\"text\":\"Gr\u00fc\u00dfe \ud83d\ude00\"}\n "}) {
            assertThat(signature(signingVendor, SECRET)
                            .verify(requestHeaders, text(body))
                            .content())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesASignatureWithAnyCharacterChanged(SigningVendor signingVendor) {
        RequestHeaders requestHeaders = signingVendor.signedHeaders(SECRET, SECONDS, BODY);
        String right = requestHeaders.value(signingVendor.header);

        for (int i = 0; i < right.length(); i++) {
            String wrong = right.substring(0, i) + (char) (right.charAt(i) ^ 1) + right.substring(i + 1);
            assertThat(signature(signingVendor, SECRET)
                            .verify(requestHeaders.replacing(signingVendor.header, wrong), BODY)
                            .content())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesASignatureThatIsCutShort(SigningVendor signingVendor) {
        RequestHeaders requestHeaders = signingVendor.signedHeaders(SECRET, SECONDS, BODY);
        String right = requestHeaders.value(signingVendor.header);

        for (int length = 0; length < right.length(); length++) {
            RequestHeaders cut = requestHeaders.replacing(signingVendor.header, right.substring(0, length));
            assertThat(signature(signingVendor, SECRET).verify(cut, BODY).content())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesAnotherSecret(SigningVendor signingVendor) {
        RequestHeaders requestHeaders = signingVendor.signedHeaders(OTHER, SECONDS, BODY);

        assertThat(signature(signingVendor, SECRET).verify(requestHeaders, BODY).content())
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void rejectsRequestWithoutSignature(SigningVendor signingVendor) {
        RequestHeaders without =
                signingVendor.signedHeaders(SECRET, SECONDS, BODY).without(signingVendor.header);

        for (HeaderLookup headerLookup : new HeaderLookup[] {without, RequestHeaders.empty(), name -> null}) {
            assertThat(signature(signingVendor, SECRET).isPresent(headerLookup)).isFalse();
            assertThat(signature(signingVendor, SECRET)
                            .verify(headerLookup, BODY)
                            .content())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesASignatureThatIsSentTwice(SigningVendor signingVendor) {
        RequestHeaders requestHeaders = signingVendor.signedHeaders(SECRET, SECONDS, BODY);
        RequestHeaders twice = requestHeaders.with(signingVendor.header, requestHeaders.value(signingVendor.header));

        assertThat(signature(signingVendor, SECRET).isPresent(twice)).isFalse();
        assertThat(signature(signingVendor, SECRET).verify(twice, BODY).content())
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void refusesASignatureOverEightKilobytes(SigningVendor signingVendor) {
        RequestHeaders requestHeaders = signingVendor.signedHeaders(SECRET, SECONDS, BODY);
        String right = requestHeaders.value(signingVendor.header);
        String padding = " ".repeat(HEADER_LIMIT - right.length());
        RequestHeaders full = requestHeaders.replacing(signingVendor.header, right + padding);
        RequestHeaders over = requestHeaders.replacing(signingVendor.header, right + padding + " ");

        assertThat(signature(signingVendor, SECRET).isPresent(full)).isTrue();
        assertThat(signature(signingVendor, SECRET).verify(full, BODY).content())
                .isPresent();
        assertThat(signature(signingVendor, SECRET).isPresent(over)).isFalse();
        assertThat(signature(signingVendor, SECRET).verify(over, BODY).content())
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("dev.postern.access.SigningVendor#stamped")
    void refusesATimestampFurtherAwayThanTheTolerance(SigningVendor signingVendor) {
        RequestHeaders requestHeaders = signingVendor.signedHeaders(SECRET, SECONDS, BODY);
        Duration tolerance = SigningVendor.TOLERANCE;
        Duration tick = Duration.ofNanos(1);

        assertThat(at(NOW.plus(tolerance), signingVendor)
                        .verify(requestHeaders, BODY)
                        .content())
                .isPresent();
        assertThat(at(NOW.minus(tolerance), signingVendor)
                        .verify(requestHeaders, BODY)
                        .content())
                .isPresent();
        assertThat(at(NOW.plus(tolerance).plus(tick), signingVendor)
                        .verify(requestHeaders, BODY)
                        .content())
                .isEmpty();
        assertThat(at(NOW.minus(tolerance).minus(tick), signingVendor)
                        .verify(requestHeaders, BODY)
                        .content())
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("dev.postern.access.SigningVendor#stampedInAHeader")
    void rejectsMissingRepeatedOrUnsignedTimestamp(SigningVendor signingVendor) {
        RequestHeaders requestHeaders = signingVendor.signedHeaders(SECRET, SECONDS, BODY);
        SignatureVerifier signature = signature(signingVendor, SECRET);

        assertThat(signature
                        .verify(requestHeaders.replacing(signingVendor.stamp(), "" + (SECONDS + 1)), BODY)
                        .content())
                .isEmpty();
        assertThat(signature.isPresent(requestHeaders.without(signingVendor.stamp())))
                .isFalse();
        assertThat(signature
                        .verify(requestHeaders.without(signingVendor.stamp()), BODY)
                        .content())
                .isEmpty();
        requestHeaders.with(signingVendor.stamp(), "" + SECONDS);
        assertThat(signature.isPresent(requestHeaders)).isFalse();
        assertThat(signature.verify(requestHeaders, BODY).content()).isEmpty();
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
        RequestHeaders requestHeaders = RequestHeaders.empty()
                .with("x-slack-request-timestamp", stamp)
                .with(
                        "x-slack-signature",
                        "v0=" + SigningVendor.hex(SigningVendor.hash("HmacSHA256", text(SECRET), lead, BODY)));

        assertThat(signature(SigningVendor.SLACK, SECRET)
                        .verify(requestHeaders, BODY)
                        .content())
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void acceptsWhatTheSenderSigns(SigningVendor signingVendor) {
        for (byte[] body : new byte[][] {BODY, {}, {(byte) 0xff, 0, (byte) 0xfe}}) {
            RequestHeaders requestHeaders = signingVendor.signedHeaders(SECRET, SECONDS, body);

            assertThat(signature(signingVendor, SECRET).isPresent(requestHeaders))
                    .isTrue();
            assertThat(signature(signingVendor, SECRET)
                            .verify(requestHeaders, body)
                            .content())
                    .isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource
    void acceptsEitherSecretWhileTheyAreRotated(SigningVendor signingVendor) {
        SignatureVerifier both = signature(signingVendor, OTHER, SECRET);

        assertThat(both.verify(signingVendor.signedHeaders(SECRET, SECONDS, BODY), BODY)
                        .content())
                .isPresent();
        assertThat(both.verify(signingVendor.signedHeaders(OTHER, SECONDS, BODY), BODY)
                        .content())
                .isPresent();
        assertThat(signature(signingVendor, SECRET, OTHER)
                        .verify(signingVendor.signedHeaders(SECRET, SECONDS, BODY), BODY)
                        .content())
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 12345, 999_999_999_999L})
    void acceptsATimestampOfAnyLengthThatSecondsHave(long seconds) {
        RequestHeaders requestHeaders = SigningVendor.STRIPE.signedHeaders(SECRET, seconds, BODY);

        assertThat(at(Instant.ofEpochSecond(seconds), SigningVendor.STRIPE)
                        .verify(requestHeaders, BODY)
                        .content())
                .isPresent();
    }

    @Test
    void saysWhetherItIsRequired() {
        Verify plain = SigningVendor.GITHUB.verify(SECRET);
        Verify required = new Verify(plain.scheme(), plain.secrets(), true, plain.form(), null, plain.tolerance());

        assertThat(SignatureVerifier.of(plain, () -> NOW, SigningVendor.NO_TIME).required())
                .isFalse();
        assertThat(SignatureVerifier.of(required, () -> NOW, SigningVendor.NO_TIME)
                        .required())
                .isTrue();
    }

    private static SignatureVerifier signature(SigningVendor signingVendor, String... secrets) {
        return SignatureVerifier.of(signingVendor.verify(secrets), () -> NOW, SigningVendor.NO_TIME);
    }

    private static SignatureVerifier at(Instant now, SigningVendor signingVendor) {
        return SignatureVerifier.of(signingVendor.verify(SECRET), () -> now, SigningVendor.NO_TIME);
    }
}
