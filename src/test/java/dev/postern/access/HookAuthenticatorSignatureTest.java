package dev.postern.access;

import static dev.postern.access.Doorway.ATTACKER;
import static dev.postern.access.Doorway.FAILURES;
import static dev.postern.access.Doorway.TOKEN;
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

    private final Doorway door = new Doorway();

    @Test
    void countsAWrongSignatureAMissingOneAndAWrongTokenTogether() {
        for (int i = 0; i < FAILURES / 2; i++) {
            assertThat(door.hookAuthenticator.authenticateSignature(ATTACKER, false))
                    .isEqualTo(new Unauthorized());
            assertThat(door.hookAuthenticator.rejectUnsigned(ATTACKER)).isEqualTo(new Unauthorized());
        }

        assertThat(door.hookAuthenticator.authenticateSignature(ATTACKER, false))
                .isEqualTo(new Throttled(60));
        assertThat(door.hookAuthenticator.rejectUnsigned(ATTACKER)).isEqualTo(new Throttled(60));
        assertThat(door.wrong(ATTACKER)).isEqualTo(new Throttled(60));
        assertThat(door.failures.unauthorized()).isEqualTo(FAILURES);
        assertThat(door.failures.throttled()).isEqualTo(3);
    }

    @Test
    void letsTheRightSignatureInDuringALockOutWhichGoesOn() {
        door.refusedOf(FAILURES + 1, ATTACKER);

        assertThat(door.hookAuthenticator.authenticateSignature(ATTACKER, true)).isEqualTo(new Admitted());
        assertThat(door.failures.lockedOutClients()).isEqualTo(1);
        assertThat(door.hookAuthenticator.authenticateSignature(ATTACKER, false))
                .isEqualTo(new Throttled(60));
    }

    @Test
    void countsAClientWithoutAnAddressToo() {
        assertThat(door.hookAuthenticator.authenticateSignature(null, true)).isEqualTo(new Admitted());
        assertThat(door.hookAuthenticator.rejectUnsigned(null)).isEqualTo(new Unauthorized());
        assertThat(door.failures.unauthorized()).isEqualTo(1);
    }

    static Stream<HeaderLookup> withoutAToken() {
        return Stream.of(
                Sent.nothing(),
                name -> null,
                Sent.nothing().with("x-hub-signature-256", "sha256=00"),
                Sent.nothing().with("x-other-token", TOKEN),
                Sent.nothing().with("Authorization", "Basic eDp5"),
                Sent.nothing().with("Authorization", "Bearerish x"),
                Sent.nothing().with("Authorization", ""));
    }

    @ParameterizedTest
    @MethodSource("withoutAToken")
    void findsNoTokenWhereNoneIsPresented(HeaderLookup headerLookup) {
        assertThat(door.hookAuthenticator.presentsToken(headerLookup)).isFalse();
    }

    static Stream<Sent> withAToken() {
        return Stream.of(
                Sent.bearer(TOKEN),
                Sent.bearer("wrong"),
                Sent.bearer(""),
                Sent.nothing().with("Authorization", "bearer"),
                Sent.bearer("a").with("Authorization", "Bearer b"),
                Sent.nothing().with("Authorization", "Basic " + "x".repeat(8192)),
                Sent.nothing().with("x-service-token", ""),
                Sent.nothing().with("x-service-token", "a").with("x-service-token", "b"),
                Sent.nothing().with("Authorization", "Basic eDp5").with("x-service-token", TOKEN));
    }

    @ParameterizedTest
    @MethodSource("withAToken")
    void findsATokenRightOrWrongWellFormedOrNot(Sent headers) {
        assertThat(door.hookAuthenticator.presentsToken(headers)).isTrue();
    }
}
