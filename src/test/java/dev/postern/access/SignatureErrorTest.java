package dev.postern.access;

import static dev.postern.access.SigningVendor.SECRET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.access.SignatureResult.Invalid;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class SignatureErrorTest {

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final long SECONDS = NOW.getEpochSecond();
    private static final byte[] BODY = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);

    @ParameterizedTest
    @EnumSource(SigningVendor.class)
    void namesTheHeaderThatIsMissing(SigningVendor signingVendor) {
        Invalid invalid = invalid(signingVendor, RequestHeaders.empty());

        assertThat(invalid.error()).isEqualTo(SignatureError.MISSING);
        assertThat(invalid.detail()).contains(signingVendor.header);
        assertThat(verifier(signingVendor).missing()).isEqualTo(invalid);
    }

    @ParameterizedTest
    @EnumSource(SigningVendor.class)
    void tellsAnotherSecretFromATextThatIsNoSignature(SigningVendor signingVendor) {
        RequestHeaders requestHeaders = signingVendor.signedHeaders(SECRET, SECONDS, BODY);
        RequestHeaders wrongSecret = signingVendor.signedHeaders(SigningVendor.OTHER, SECONDS, BODY);
        RequestHeaders cut = requestHeaders.replacing(
                signingVendor.header, requestHeaders.value(signingVendor.header).replaceFirst(".{5}$", ""));

        assertThat(invalid(signingVendor, wrongSecret).error()).isEqualTo(SignatureError.DIGEST);
        assertThat(invalid(signingVendor, cut).error()).isEqualTo(SignatureError.MALFORMED);
        assertThat(invalid(signingVendor, requestHeaders.replacing(signingVendor.header, "nonsense"))
                        .error())
                .isEqualTo(SignatureError.MALFORMED);
    }

    @ParameterizedTest
    @MethodSource("dev.postern.access.SigningVendor#stamped")
    void saysHowFarTheTimestampIsOff(SigningVendor signingVendor) {
        assertThat(invalid(signingVendor, signingVendor.signedHeaders(SECRET, SECONDS - 421, BODY)))
                .isEqualTo(new Invalid(
                        SignatureError.TIMESTAMP, "The timestamp is 421 s in the past; at most 300 s are allowed."));
        assertThat(invalid(signingVendor, signingVendor.signedHeaders(SECRET, SECONDS + 3_600, BODY)))
                .isEqualTo(new Invalid(
                        SignatureError.TIMESTAMP, "The timestamp is 3600 s in the future; at most 300 s are allowed."));
    }

    @ParameterizedTest
    @MethodSource("dev.postern.access.SigningVendor#stampedInAHeader")
    void tellsATimestampThatIsNoNumber(SigningVendor signingVendor) {
        RequestHeaders requestHeaders =
                signingVendor.signedHeaders(SECRET, SECONDS, BODY).replacing(signingVendor.stamp(), "yesterday");

        assertThat(invalid(signingVendor, requestHeaders))
                .isEqualTo(Invalid.malformed("The timestamp is not whole seconds since 1970."));
    }

    @ParameterizedTest
    @MethodSource("invalidRequests")
    void repeatsNothingThatWasSent(SigningVendor signingVendor, RequestHeaders requestHeaders) {
        assertThat(invalid(signingVendor, requestHeaders).detail())
                .doesNotContain("c4nary", SECRET, SigningVendor.OTHER);
    }

    static Stream<Object[]> invalidRequests() {
        return Stream.of(SigningVendor.values())
                .flatMap(signingVendor -> Stream.of(
                        new Object[] {signingVendor, RequestHeaders.empty().with(signingVendor.header, "c4nary")},
                        new Object[] {
                            signingVendor,
                            signingVendor
                                    .signedHeaders(SECRET, SECONDS, BODY)
                                    .replacing(signingVendor.header, "v1=c4nary,t=c4nary")
                        },
                        new Object[] {signingVendor, signingVendor.signedHeaders(SigningVendor.OTHER, SECONDS, BODY)}));
    }

    private static Invalid invalid(SigningVendor signingVendor, RequestHeaders requestHeaders) {
        assertThat(verifier(signingVendor).verify(requestHeaders, BODY)).isInstanceOf(Invalid.class);
        return (Invalid) verifier(signingVendor).verify(requestHeaders, BODY);
    }

    private static SignatureVerifier verifier(SigningVendor signingVendor) {
        return SignatureVerifier.of(signingVendor.verify(SECRET), () -> NOW, SigningVendor.NO_TIME);
    }
}
