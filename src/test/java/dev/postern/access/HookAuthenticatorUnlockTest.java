package dev.postern.access;

import static dev.postern.access.HookAuthenticatorFixture.ATTACKER;
import static dev.postern.access.HookAuthenticatorFixture.FAILURES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.access.AuthenticationResult.Throttled;
import dev.postern.access.AuthenticationResult.Unauthorized;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HookAuthenticatorUnlockTest {

    private final HookAuthenticatorFixture fixture = new HookAuthenticatorFixture();

    @ParameterizedTest
    @ValueSource(strings = {"", "nobody", "203.0.113", "203.0.113.7.1", "::g", "/64", "<script>", "203.0.113.8"})
    void unlocksNobodyByWhatIsNoAddressOfTheirs(String address) {
        lockOut(ATTACKER);
        lockOut("a name");

        assertThat(fixture.failures.unlock(address)).isFalse();

        assertThat(fixture.authenticateWrongToken(ATTACKER)).isInstanceOf(Throttled.class);
        assertThat(fixture.authenticateWrongToken("another name")).isInstanceOf(Throttled.class);
    }

    @Test
    void saysThatAClientWasNotLockedOutAndForgetsItsFailures() {
        fixture.countUnauthorized(FAILURES - 1, ATTACKER);
        assertThat(fixture.failures.lockedOut(10)).isEmpty();

        assertThat(fixture.failures.unlock(ATTACKER)).isFalse();

        assertThat(fixture.countUnauthorized(FAILURES + 1, ATTACKER)).isEqualTo(FAILURES);
    }

    @Test
    void saysThatALockOutWasOverAnyway() {
        lockOut(ATTACKER);
        fixture.after(Duration.ofMinutes(1));

        assertThat(fixture.failures.lockedOut(10)).isEmpty();
        assertThat(fixture.failures.unlock(ATTACKER)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "203.0.113.7, 203.0.113.7",
        "255.255.255.255, 255.255.255.255",
        "::ffff:198.51.100.1, 198.51.100.1",
        "2001:db8:1:2:3:4:5:6, 2001:db8:1:2::/64",
        "2001:db8::1, 2001:db8:0:0::/64",
        "fe80::1%eth0, fe80:0:0:0::/64",
        "::1, 0:0:0:0::/64",
        "localhost, unknown"
    })
    void unlocksAClientByTheAddressThatItIsShownWith(String address, String shown) {
        lockOut(address);
        assertThat(fixture.failures.lockedOut(10))
                .containsExactly(new AuthenticationFailures.LockedOut(shown, Duration.ofSeconds(60)));

        assertThat(fixture.failures.unlock(shown)).isTrue();

        assertThat(fixture.failures.lockedOut(10)).isEmpty();
        assertThat(fixture.failures.lockedOutClients()).isZero();
        assertThat(fixture.authenticateWrongToken(address)).isEqualTo(new Unauthorized());
        assertThat(fixture.failures.unlock(shown)).isFalse();
    }

    @Test
    void unlocksAClientByAnotherAddressOfIts() {
        lockOut("2001:db8:1:2::1");

        assertThat(fixture.failures.unlock("2001:db8:1:2::2")).isTrue();
    }

    @Test
    void showsThoseFirstThatAreLockedOutLongest() {
        lockOut("192.0.2.2");
        lockOut("192.0.2.1");
        fixture.after(Duration.ofSeconds(5));
        lockOut("192.0.2.3");
        fixture.failures.unlock("192.0.2.2");

        assertThat(fixture.failures.lockedOut(10))
                .containsExactly(
                        new AuthenticationFailures.LockedOut("192.0.2.3", Duration.ofSeconds(60)),
                        new AuthenticationFailures.LockedOut("192.0.2.1", Duration.ofSeconds(55)));
    }

    @Test
    void showsNoMoreThanAreAskedFor() {
        for (int i = 0; i < 100; i++) {
            lockOut("192.0.2." + i);
        }

        assertThat(fixture.failures.lockedOut(30)).hasSize(30).doesNotHaveDuplicates();
        assertThat(fixture.failures.lockedOut(1_000)).hasSize(100);
        assertThat(fixture.failures.lockedOut(0)).isEmpty();
    }

    private void lockOut(String address) {
        assertThat(fixture.countUnauthorized(FAILURES, address)).isEqualTo(FAILURES);
    }
}
