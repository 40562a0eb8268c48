package dev.postern.access;

import static dev.postern.access.Sender.SECRET;
import static dev.postern.access.Sender.text;
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
    void isTheSameForTheSameBytesAndNoOthers(Sender sender) {
        Sent sent = sender.sends(SECRET, NOW.getEpochSecond(), BODY);
        String first = of(sender, sent, BODY).sha256();
        byte[] other = text("{\"at\": 1772366401}");

        assertThat(of(sender, sent.with("x-delivery", "2"), BODY).sha256()).isEqualTo(first);
        assertThat(of(sender, sender.sends(SECRET, NOW.getEpochSecond(), other), other)
                        .sha256())
                .isNotEqualTo(first);
    }

    @ParameterizedTest
    @EnumSource
    void isAnotherForAnotherTimeWhereThatIsSigned(Sender sender) {
        long seconds = NOW.getEpochSecond();
        String first = of(sender, sender.sends(SECRET, seconds, BODY), BODY).sha256();
        String later = of(sender, sender.sends(SECRET, seconds + 1, BODY), BODY).sha256();

        boolean inTheSignature = Sender.stamped().anyMatch(sender::equals) && sender != Sender.GITLAB;
        assertThat(later.equals(first)).isEqualTo(!inTheSignature);
    }

    @Test
    void isTheSameOfGitLabsSecretAndOfItsSignature() {
        Sent both = Sender.GITLAB.sends(SECRET, NOW.getEpochSecond(), BODY).with("x-gitlab-token", SECRET);

        assertThat(of(Sender.GITLAB, both, BODY))
                .isEqualTo(of(Sender.GITLAB, both.without("x-gitlab-token"), BODY))
                .isEqualTo(of(Sender.GITLAB, both.without("webhook-signature"), BODY));
    }

    @ParameterizedTest
    @EnumSource
    void hasTheDeliverysIdWhereThatIsSigned(Sender sender) {
        SignedContent content = of(sender, sender.sends(SECRET, NOW.getEpochSecond(), BODY), BODY);

        assertThat(Optional.ofNullable(content.deliveryId()))
                .isEqualTo(
                        sender == Sender.STANDARD || sender == Sender.SVIX ? Optional.of("msg_1") : Optional.empty());
    }

    @Test
    void readsTheTimeOfABodyOnlyWhenItsSignatureIsRight() {
        AtomicInteger reads = new AtomicInteger();
        SignatureVerifier signature = signature((body, field) -> {
            reads.incrementAndGet();
            return Optional.of(NOW);
        });
        Sent sent = Sender.PAGERDUTY.sends(SECRET, 0, BODY);

        assertThat(signature.verify(sent, text("{}")).content()).isEmpty();
        assertThat(signature.verify(Sent.nothing(), BODY).content()).isEmpty();
        assertThat(reads).hasValue(0);
        assertThat(signature.verify(sent, BODY).content()).isPresent();
        assertThat(reads).hasValue(1);
    }

    @Test
    void refusesABodyThatSaysNoTimeOrOneTooFarAway() {
        Sent sent = Sender.PAGERDUTY.sends(SECRET, 0, BODY);
        Duration tolerance = Duration.ofMinutes(1);

        for (Instant right : new Instant[] {NOW, NOW.minus(tolerance), NOW.plus(tolerance)}) {
            assertThat(signature((body, field) -> Optional.of(right))
                            .verify(sent, BODY)
                            .content())
                    .isPresent();
        }
        for (Instant wrong : new Instant[] {
            NOW.minus(tolerance).minusMillis(1), NOW.plus(tolerance).plusMillis(1)
        }) {
            assertThat(signature((body, field) -> Optional.of(wrong))
                            .verify(sent, BODY)
                            .content())
                    .isEmpty();
        }
        assertThat(signature((body, field) -> Optional.empty())
                        .verify(sent, BODY)
                        .content())
                .isEmpty();
    }

    private static SignedContent of(Sender sender, Sent sent, byte[] body) {
        return SignatureVerifier.of(sender.verify(SECRET), () -> NOW, Sender.NO_TIME)
                .verify(sent, body)
                .content()
                .orElseThrow();
    }

    private static SignatureVerifier signature(SignatureVerifier.BodyTime bodyTime) {
        Verify plain = Sender.PAGERDUTY.verify(SECRET);
        Verify timed = new Verify(plain.scheme(), plain.secrets(), false, plain.form(), "at", Duration.ofMinutes(1));
        return SignatureVerifier.of(timed, () -> NOW, bodyTime);
    }
}
