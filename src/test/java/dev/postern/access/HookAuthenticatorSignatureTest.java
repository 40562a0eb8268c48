package dev.postern.access;

import static dev.postern.access.HookAuthenticatorFixture.ATTACKER;
import static dev.postern.access.HookAuthenticatorFixture.FAILURES;
import static dev.postern.access.HookAuthenticatorFixture.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.access.AuthenticationResult.Admitted;
import dev.postern.access.AuthenticationResult.Throttled;
import dev.postern.access.AuthenticationResult.Unauthorized;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The authenticator on a path where a signature is accepted in place of a token. */
class HookAuthenticatorSignatureTest {

    private final HookAuthenticatorFixture fixture = new HookAuthenticatorFixture();

    @Test
    void countsAWrongSignatureAMissingOneAndAWrongTokenTogether() {
        for (int i = 0; i < FAILURES / 2; i++) {
            assertThat(fixture.hookAuthenticator.authenticateSignature(ATTACKER, false))
                    .isEqualTo(new Unauthorized());
            assertThat(fixture.hookAuthenticator.rejectUnsigned(ATTACKER)).isEqualTo(new Unauthorized());
        }

        assertThat(fixture.hookAuthenticator.authenticateSignature(ATTACKER, false))
                .isEqualTo(new Throttled(60));
        assertThat(fixture.hookAuthenticator.rejectUnsigned(ATTACKER)).isEqualTo(new Throttled(60));
        assertThat(fixture.authenticateWrongToken(ATTACKER)).isEqualTo(new Throttled(60));
        assertThat(fixture.failures.unauthorized()).isEqualTo(FAILURES);
        assertThat(fixture.failures.throttled()).isEqualTo(3);
    }

    @Test
    void letsTheRightSignatureInDuringALockOutWhichGoesOn() {
        fixture.countUnauthorized(FAILURES + 1, ATTACKER);

        assertThat(fixture.hookAuthenticator.authenticateSignature(ATTACKER, true))
                .isEqualTo(new Admitted(null));
        assertThat(fixture.failures.lockedOutClients()).isEqualTo(1);
        assertThat(fixture.hookAuthenticator.authenticateSignature(ATTACKER, false))
                .isEqualTo(new Throttled(60));
    }

    @Test
    void countsAClientWithoutAnAddressToo() {
        assertThat(fixture.hookAuthenticator.authenticateSignature(null, true)).isEqualTo(new Admitted(null));
        assertThat(fixture.hookAuthenticator.rejectUnsigned(null)).isEqualTo(new Unauthorized());
        assertThat(fixture.failures.unauthorized()).isEqualTo(1);
    }

    static Stream<HeaderLookup> withoutAToken() {
        return Stream.of(
                RequestHeaders.empty(),
                name -> null,
                RequestHeaders.empty().with("x-hub-signature-256", "sha256=00"),
                RequestHeaders.empty().with("x-other-token", TOKEN),
                RequestHeaders.empty().with("Authorization", "Basic eDp5"),
                RequestHeaders.empty().with("Authorization", "Bearerish x"),
                RequestHeaders.empty().with("Authorization", ""));
    }

    @ParameterizedTest
    @MethodSource("withoutAToken")
    void findsNoTokenWhereNoneIsPresented(HeaderLookup headerLookup) {
        assertThat(fixture.hookAuthenticator.presentsToken(headerLookup)).isFalse();
    }

    static Stream<RequestHeaders> withAToken() {
        return Stream.of(
                RequestHeaders.bearer(TOKEN),
                RequestHeaders.bearer("wrong"),
                RequestHeaders.bearer(""),
                RequestHeaders.empty().with("Authorization", "bearer"),
                RequestHeaders.bearer("a").with("Authorization", "Bearer b"),
                RequestHeaders.empty().with("Authorization", "Basic " + "x".repeat(8192)),
                RequestHeaders.empty().with("x-service-token", ""),
                RequestHeaders.empty().with("x-service-token", "a").with("x-service-token", "b"),
                RequestHeaders.empty().with("Authorization", "Basic eDp5").with("x-service-token", TOKEN));
    }

    @ParameterizedTest
    @MethodSource("withAToken")
    void findsATokenRightOrWrongWellFormedOrNot(RequestHeaders headers) {
        assertThat(fixture.hookAuthenticator.presentsToken(headers)).isTrue();
    }
}
