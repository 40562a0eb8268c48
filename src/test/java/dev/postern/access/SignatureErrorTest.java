package dev.postern.access;

import static dev.postern.access.Sender.SECRET;
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
    @EnumSource(Sender.class)
    void namesTheHeaderThatIsMissing(Sender sender) {
        Invalid invalid = invalid(sender, Sent.nothing());

        assertThat(invalid.error()).isEqualTo(SignatureError.MISSING);
        assertThat(invalid.detail()).contains(sender.header);
        assertThat(verifier(sender).missing()).isEqualTo(invalid);
    }

    @ParameterizedTest
    @EnumSource(Sender.class)
    void tellsAnotherSecretFromATextThatIsNoSignature(Sender sender) {
        Sent sent = sender.sends(SECRET, SECONDS, BODY);
        Sent wrongSecret = sender.sends(Sender.OTHER, SECONDS, BODY);
        Sent cut = sent.instead(sender.header, sent.value(sender.header).replaceFirst(".{5}$", ""));

        assertThat(invalid(sender, wrongSecret).error()).isEqualTo(SignatureError.DIGEST);
        assertThat(invalid(sender, cut).error()).isEqualTo(SignatureError.MALFORMED);
        assertThat(invalid(sender, sent.instead(sender.header, "nonsense")).error())
                .isEqualTo(SignatureError.MALFORMED);
    }

    @ParameterizedTest
    @MethodSource("dev.postern.access.Sender#stamped")
    void saysHowFarTheTimestampIsOff(Sender sender) {
        assertThat(invalid(sender, sender.sends(SECRET, SECONDS - 421, BODY)))
                .isEqualTo(new Invalid(
                        SignatureError.TIMESTAMP, "The timestamp is 421 s in the past; at most 300 s are allowed."));
        assertThat(invalid(sender, sender.sends(SECRET, SECONDS + 3_600, BODY)))
                .isEqualTo(new Invalid(
                        SignatureError.TIMESTAMP, "The timestamp is 3600 s in the future; at most 300 s are allowed."));
    }

    @ParameterizedTest
    @MethodSource("dev.postern.access.Sender#stampedInAHeader")
    void tellsATimestampThatIsNoNumber(Sender sender) {
        Sent sent = sender.sends(SECRET, SECONDS, BODY).instead(sender.stamp(), "yesterday");

        assertThat(invalid(sender, sent))
                .isEqualTo(Invalid.malformed("The timestamp is not whole seconds since 1970."));
    }

    @ParameterizedTest
    @MethodSource("invalidRequests")
    void repeatsNothingThatWasSent(Sender sender, Sent sent) {
        assertThat(invalid(sender, sent).detail()).doesNotContain("c4nary", SECRET, Sender.OTHER);
    }

    static Stream<Object[]> invalidRequests() {
        return Stream.of(Sender.values())
                .flatMap(sender -> Stream.of(
                        new Object[] {sender, Sent.nothing().with(sender.header, "c4nary")},
                        new Object[] {
                            sender, sender.sends(SECRET, SECONDS, BODY).instead(sender.header, "v1=c4nary,t=c4nary")
                        },
                        new Object[] {sender, sender.sends(Sender.OTHER, SECONDS, BODY)}));
    }

    private static Invalid invalid(Sender sender, Sent sent) {
        assertThat(verifier(sender).verify(sent, BODY)).isInstanceOf(Invalid.class);
        return (Invalid) verifier(sender).verify(sent, BODY);
    }

    private static SignatureVerifier verifier(Sender sender) {
        return SignatureVerifier.of(sender.verify(SECRET), () -> NOW, Sender.NO_TIME);
    }
}
