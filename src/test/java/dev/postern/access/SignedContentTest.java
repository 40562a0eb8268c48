package dev.postern.access;

import static dev.postern.access.SigningVendor.SECRET;
import static dev.postern.access.SigningVendor.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.MappingSettings.Verify;
import dev.postern.model.SignedContent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The signed content of a request whose signature is right. */
class SignedContentTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final byte[] BODY = text("{\"at\": 1772366400}");

    @ParameterizedTest
    @EnumSource
    void isTheSameForTheSameBytesAndNoOthers(SigningVendor signingVendor) {
        RequestHeaders requestHeaders = signingVendor.signedHeaders(SECRET, NOW.getEpochSecond(), BODY);
        String first = of(signingVendor, requestHeaders, BODY).sha256();
        byte[] other = text("{\"at\": 1772366401}");

        assertThat(of(signingVendor, requestHeaders.with("x-delivery", "2"), BODY)
                        .sha256())
                .isEqualTo(first);
        assertThat(of(signingVendor, signingVendor.signedHeaders(SECRET, NOW.getEpochSecond(), other), other)
                        .sha256())
                .isNotEqualTo(first);
    }

    @ParameterizedTest
    @EnumSource
    void isAnotherForAnotherTimeWhereThatIsSigned(SigningVendor signingVendor) {
        long seconds = NOW.getEpochSecond();
        String first = of(signingVendor, signingVendor.signedHeaders(SECRET, seconds, BODY), BODY)
                .sha256();
        String later = of(signingVendor, signingVendor.signedHeaders(SECRET, seconds + 1, BODY), BODY)
                .sha256();

        boolean inTheSignature =
                SigningVendor.stamped().anyMatch(signingVendor::equals) && signingVendor != SigningVendor.GITLAB;
        assertThat(later.equals(first)).isEqualTo(!inTheSignature);
    }

    @Test
    void isTheSameOfGitLabsSecretAndOfItsSignature() {
        RequestHeaders both = SigningVendor.GITLAB
                .signedHeaders(SECRET, NOW.getEpochSecond(), BODY)
                .with("x-gitlab-token", SECRET);

        assertThat(of(SigningVendor.GITLAB, both, BODY))
                .isEqualTo(of(SigningVendor.GITLAB, both.without("x-gitlab-token"), BODY))
                .isEqualTo(of(SigningVendor.GITLAB, both.without("webhook-signature"), BODY));
    }

    @ParameterizedTest
    @EnumSource
    void hasTheDeliverysIdWhereThatIsSigned(SigningVendor signingVendor) {
        SignedContent content =
                of(signingVendor, signingVendor.signedHeaders(SECRET, NOW.getEpochSecond(), BODY), BODY);

        assertThat(Optional.ofNullable(content.deliveryId()))
                .isEqualTo(
                        signingVendor == SigningVendor.STANDARD || signingVendor == SigningVendor.SVIX
                                ? Optional.of("msg_1")
                                : Optional.empty());
    }

    @Test
    void readsTheTimeOfABodyOnlyWhenItsSignatureIsRight() {
        AtomicInteger reads = new AtomicInteger();
        SignatureVerifier signature = signature((body, field) -> {
            reads.incrementAndGet();
            return Optional.of(NOW);
        });
        RequestHeaders requestHeaders = SigningVendor.PAGERDUTY.signedHeaders(SECRET, 0, BODY);

        assertThat(signature.verify(requestHeaders, text("{}")).content()).isEmpty();
        assertThat(signature.verify(RequestHeaders.empty(), BODY).content()).isEmpty();
        assertThat(reads).hasValue(0);
        assertThat(signature.verify(requestHeaders, BODY).content()).isPresent();
        assertThat(reads).hasValue(1);
    }

    @Test
    void refusesABodyThatSaysNoTimeOrOneTooFarAway() {
        RequestHeaders requestHeaders = SigningVendor.PAGERDUTY.signedHeaders(SECRET, 0, BODY);
        Duration tolerance = Duration.ofMinutes(1);

        for (Instant right : new Instant[] {NOW, NOW.minus(tolerance), NOW.plus(tolerance)}) {
            assertThat(signature((body, field) -> Optional.of(right))
                            .verify(requestHeaders, BODY)
                            .content())
                    .isPresent();
        }
        for (Instant wrong : new Instant[] {
            NOW.minus(tolerance).minusMillis(1), NOW.plus(tolerance).plusMillis(1)
        }) {
            assertThat(signature((body, field) -> Optional.of(wrong))
                            .verify(requestHeaders, BODY)
                            .content())
                    .isEmpty();
        }
        assertThat(signature((body, field) -> Optional.empty())
                        .verify(requestHeaders, BODY)
                        .content())
                .isEmpty();
    }

    private static SignedContent of(SigningVendor signingVendor, RequestHeaders requestHeaders, byte[] body) {
        return SignatureVerifier.of(signingVendor.verify(SECRET), () -> NOW, SigningVendor.NO_TIME)
                .verify(requestHeaders, body)
                .content()
                .orElseThrow();
    }

    private static SignatureVerifier signature(SignatureVerifier.BodyTime bodyTime) {
        Verify plain = SigningVendor.PAGERDUTY.verify(SECRET);
        Verify timed = new Verify(plain.scheme(), plain.secrets(), false, plain.form(), "at", Duration.ofMinutes(1));
        return SignatureVerifier.of(timed, () -> NOW, bodyTime);
    }
}
