package dev.postern.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.access.AuthenticationResult.Admitted;
import dev.postern.access.AuthenticationResult.Unauthorized;
import dev.postern.config.SenderSettings;
import dev.postern.model.Secret;
import dev.postern.model.Sha256;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HookAuthenticatorTokenTest {

    private static final String TOKEN = HookAuthenticatorFixture.TOKEN;
    private static final int HEADER_LIMIT = 8192;
    private static final Instant EXPIRY = Instant.parse("2030-01-01T00:00:00Z");

    static Stream<RequestHeaders> failures() {
        return Stream.of(
                RequestHeaders.empty(),
                authorization(""),
                authorization("Bearer"),
                authorization("Bearer "),
                authorization("Bearer \t "),
                authorization(TOKEN),
                authorization("Bearer" + TOKEN),
                authorization("Bearer\u00a0" + TOKEN),
                authorization("Bearer\n" + TOKEN),
                authorization("Bearer: " + TOKEN),
                authorization("Bearer=" + TOKEN),
                authorization("Basic " + TOKEN),
                authorization("Digest username=\"a\""),
                authorization("Bearer " + TOKEN).with("Authorization", "Bearer wrong"),
                authorization("Bearer wrong").with("Authorization", "Bearer " + TOKEN),
                authorization("Bearer " + TOKEN).with("Authorization", "Bearer " + TOKEN),
                authorization("Basic eDp5").with("Authorization", "Basic eDp5").with("x-service-token", TOKEN),
                authorization("Bearer wrong").with("x-service-token", TOKEN),
                authorization("Bearer").with("x-service-token", TOKEN),
                authorization("Basic eDp5").with("x-service-token", "wrong"),
                serviceToken(""),
                serviceToken("wrong"),
                serviceToken("Bearer " + TOKEN),
                serviceToken(TOKEN).with("x-service-token", TOKEN),
                serviceToken(TOKEN).with("x-service-token", "wrong"),
                serviceToken("wrong").with("x-other-token", TOKEN),
                RequestHeaders.empty().with("x-other-token", TOKEN).with("x-other-token", TOKEN),
                RequestHeaders.empty().with("x-unknown-token", TOKEN),
                padded("Bearer " + TOKEN, HEADER_LIMIT + 1),
                authorization("Basic " + "x".repeat(HEADER_LIMIT)).with("x-service-token", TOKEN),
                serviceToken(TOKEN + " ".repeat(HEADER_LIMIT)));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void rejectsRequestWithoutExactlyOneToken(RequestHeaders headers) {
        assertThat(authenticator(TOKEN).authenticate("192.0.2.1", headers)).isEqualTo(new Unauthorized());
    }

    static Stream<RequestHeaders> successes() {
        return Stream.of(
                authorization("Bearer " + TOKEN),
                authorization("bearer " + TOKEN),
                authorization("BEARER " + TOKEN),
                authorization("Bearer\t" + TOKEN),
                authorization("Bearer \t  " + TOKEN),
                authorization(" Bearer " + TOKEN),
                authorization("Bearer " + TOKEN + " \t"),
                padded("Bearer " + TOKEN, HEADER_LIMIT),
                authorization("Bearer " + TOKEN).with("x-service-token", "wrong"),
                authorization("Bearer " + TOKEN).with("x-service-token", "a").with("x-service-token", "b"),
                authorization("Basic eDp5").with("x-service-token", TOKEN),
                authorization("").with("x-service-token", TOKEN),
                authorization("Bearerish x").with("x-service-token", TOKEN),
                serviceToken(TOKEN),
                serviceToken(" \t" + TOKEN + "\t "),
                serviceToken(TOKEN).with("x-other-token", "wrong"),
                RequestHeaders.empty().with("X-Service-Token", TOKEN),
                RequestHeaders.empty().with("x-other-token", TOKEN));
    }

    @ParameterizedTest
    @MethodSource("successes")
    void admitsRequestWithTheToken(RequestHeaders headers) {
        assertThat(authenticator(TOKEN).authenticate("192.0.2.1", headers)).isEqualTo(new Admitted(null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "c",
                "correct-horse-battery-stapl",
                "correct-horse-battery-staple=",
                "correct-horse-battery-staplecorrect-horse-battery-staple",
                "orrect-horse-battery-staple",
                "Correct-horse-battery-staple",
                "correct-horse-battery-stapl\u00e9",
                "correct-horse-battery-staple\u00a0",
                "correct-horse-battery-staple\u0000",
                "\uff43orrect-horse-battery-staple",
                "[secret]",
                "null"
            })
    void refusesATokenThatIsNearlyRight(String presented) {
        assertThat(authenticator(TOKEN).authenticate("192.0.2.1", RequestHeaders.bearer(presented)))
                .isEqualTo(new Unauthorized());
    }

    @Test
    void refusesACharacterThatIsNoByteWhereTheTokenHasAQuestionMark() {
        assertThat(authenticator("what?").authenticate("192.0.2.1", RequestHeaders.bearer("what\u2753")))
                .isEqualTo(new Unauthorized());
    }

    @Test
    void refusesEverybodyWhenThereIsNoTokenToPresent() {
        for (HookAuthenticator hookAuthenticator : List.of(authenticator(), authenticator(""))) {
            assertThat(hookAuthenticator.authenticate("192.0.2.1", RequestHeaders.empty()))
                    .isEqualTo(new Unauthorized());
            assertThat(hookAuthenticator.authenticate("192.0.2.1", RequestHeaders.bearer("")))
                    .isEqualTo(new Unauthorized());
            assertThat(hookAuthenticator.authenticate("192.0.2.1", RequestHeaders.bearer("x")))
                    .isEqualTo(new Unauthorized());
        }
    }

    @Test
    void refusesWhenTheContainerWithholdsTheHeaders() {
        assertThat(authenticator(TOKEN).authenticate("192.0.2.1", name -> null)).isEqualTo(new Unauthorized());
    }

    @Test
    void admitsEitherTokenWhileTheyAreRotated() {
        HookAuthenticator hookAuthenticator = authenticator("the old token", "the new token");

        assertThat(hookAuthenticator.authenticate("192.0.2.1", RequestHeaders.bearer("the old token")))
                .isEqualTo(new Admitted(null));
        assertThat(hookAuthenticator.authenticate("192.0.2.1", RequestHeaders.bearer("the new token")))
                .isEqualTo(new Admitted(null));
        assertThat(hookAuthenticator.authenticate("192.0.2.1", RequestHeaders.bearer("the old tokenthe new token")))
                .isEqualTo(new Unauthorized());
    }

    @Test
    void comparesATokenBeyondAsciiAsItsUtf8Bytes() {
        String received = new String("schlüssel€".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);

        assertThat(authenticator("schlüssel€").authenticate("192.0.2.1", RequestHeaders.bearer(received)))
                .isEqualTo(new Admitted(null));
    }

    @Test
    void countsTokenOfInactiveSenderAsFailure() {
        AuthenticationFailures failures = new AuthenticationFailures(
                new FailureThrottle(20, Duration.ofSeconds(60), Duration.ofSeconds(60), System::nanoTime));
        SenderSettings active = sender("active", false, EXPIRY.plusMillis(1));
        HookAuthenticator authenticator = new HookAuthenticator(
                List.of(),
                List.of(active, sender("off", true, null), sender("expired", false, EXPIRY)),
                List.of(),
                failures,
                () -> EXPIRY);

        assertThat(authenticator.authenticate("192.0.2.1", RequestHeaders.bearer("active")))
                .isEqualTo(new Admitted(active));
        for (String token : List.of("off", "expired", "unknown")) {
            assertThat(authenticator.authenticate("192.0.2.1", RequestHeaders.bearer(token)))
                    .isEqualTo(new Unauthorized());
        }
        assertThat(failures.unauthorized()).isEqualTo(3);
    }

    private static SenderSettings sender(String id, boolean disabled, @Nullable Instant expires) {
        return new SenderSettings(
                id,
                List.of(Sha256.name(id, 32)),
                List.of("ci"),
                new SenderSettings.Scope(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()),
                expires,
                disabled,
                null,
                null);
    }

    private static HookAuthenticator authenticator(String... tokens) {
        FailureThrottle throttle =
                new FailureThrottle(20, Duration.ofSeconds(60), Duration.ofSeconds(60), System::nanoTime);
        return new HookAuthenticator(
                Stream.of(tokens).map(Secret::new).toList(),
                List.of(),
                List.of("x-other-token"),
                new AuthenticationFailures(throttle),
                InstantSource.system());
    }

    private static RequestHeaders authorization(String value) {
        return RequestHeaders.empty().with("Authorization", value);
    }

    private static RequestHeaders serviceToken(String value) {
        return RequestHeaders.empty().with("x-service-token", value);
    }

    private static RequestHeaders padded(String authorization, int length) {
        return authorization(authorization + " ".repeat(length - authorization.length()));
    }
}
