package dev.postern.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.access.AuthenticationResult.Throttled;
import dev.postern.access.AuthenticationResult.Unauthorized;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The client that a failure is counted for: with one failure allowed, a second one of the same client is throttled. */
class HookAuthenticatorClientTest {

    private final HookAuthenticatorFixture fixture = new HookAuthenticatorFixture(1, 0);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "attacker.example",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.",
                ".1.2.3",
                "1..2.3",
                "1.2.3.256",
                "1.2.3.0004",
                "1.2.3.-4",
                "1.2.3.4 ",
                "1.2.3.٤",
                "1.2.3.4:8080",
                "0x1.2.3.4",
                ":",
                ":::",
                "1:2:3",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "::1:2:3:4:5:6:7:8",
                "1:2:3:4::5:6:7:8",
                "1::2::3",
                "1:2:3:4:5:6:7:",
                ":1:2:3:4:5:6:7",
                "1::2:",
                "::12345",
                "::g",
                "2001:db8::1:",
                "1.2.3.4::",
                "::1.2.3.4:5",
                "::1.2.3",
                "1:2:3:4:5:6:7:1.2.3.4",
                "[::1",
                "::1]",
                "[]",
                "[",
                "%eth0",
            })
    void countsWhatIsNoAddressAsOneClient(String unreadable) {
        assertThat(fixture.authenticateWrongToken(null)).isInstanceOf(Unauthorized.class);

        assertThat(fixture.authenticateWrongToken(unreadable)).isInstanceOf(Throttled.class);
    }

    @ParameterizedTest
    @CsvSource({
        "1.2.3.4, ::ffff:1.2.3.4",
        "1.2.3.4, ::FFFF:102:304",
        "1.2.3.4, 0:0:0:0:0:ffff:1.2.3.4",
        "1.2.3.4, [::ffff:1.2.3.4]",
        "1.2.3.4, 001.002.003.004",
        "255.255.255.255, ::ffff:ffff:ffff",
        "0.0.0.0, ::ffff:0:0",
        "::1, 0:0:0:0:0:0:0:1",
        "::1, [::1]",
        "::, ::1",
        "fe80::1%eth0, fe80::2%eth1",
        "fe80::1%eth0, [fe80::1%1]",
        "2001:db8:1:2::1, 2001:db8:1:2:ffff:ffff:ffff:ffff",
        "2001:db8:1:2::1, 2001:0DB8:0001:0002:0:0:0:9",
        "2001:db8:1:2::1, 2001:db8:1:2:3::1.2.3.4",
        "2001:db8::1, 2001:db8:0:0::",
        "0:0:0:2::, ::2:0:0:0:0",
        "1:2:3:4:5:6:7::, 1:2:3:4::",
        "::2:3:4:5:6:7:8, 0:2:3:4:0:0:0:0",
    })
    void countsTwoSpellingsOfOneClientTogether(String first, String second) {
        assertThat(fixture.authenticateWrongToken(first)).isInstanceOf(Unauthorized.class);

        assertThat(fixture.authenticateWrongToken(second)).isInstanceOf(Throttled.class);
    }

    @ParameterizedTest
    @CsvSource({
        "1.2.3.4, 1.2.3.5",
        "1.2.3.4, 4.3.2.1",
        "1.2.3.4, ::1.2.3.4",
        "1.2.3.4, ::fffe:1.2.3.4",
        "1.2.3.4, 0:0:0:0:1:ffff:102:304",
        "1.2.3.4, 0:0:0:1:0:ffff:102:304",
        "127.0.0.1, ::1",
        "2001:db8:1:2::1, 2001:db8:1:3::1",
        "2001:db8:1:2::1, 2001:db8:2:2::1",
        "2001:db8:1:2::1, 2001:db9:1:2::1",
        "2001:db8:1:2::1, 2002:db8:1:2::1",
        "::2:0:0:0:0:0, ::2:0:0:0:0",
    })
    void countsDifferentClientsApart(String first, String second) {
        assertThat(fixture.authenticateWrongToken(first)).isInstanceOf(Unauthorized.class);

        assertThat(fixture.authenticateWrongToken(second)).isInstanceOf(Unauthorized.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.2.3.4",
                "0.0.0.0",
                "255.255.255.255",
                "::",
                "::1",
                "::1.2.3.4",
                "2001:db8::1",
                "1:2:3:4:5:6:1.2.3.4",
                "1:2:3:4:5:6:7:8",
                "1:2:3:4:5:6:7::",
                "fe80::1%25",
                "fe80::1%a:b.c",
                "[2001:db8::1]",
            })
    void countsAnAddressApartFromWhatIsNone(String address) {
        assertThat(fixture.authenticateWrongToken(null)).isInstanceOf(Unauthorized.class);

        assertThat(fixture.authenticateWrongToken(address)).isInstanceOf(Unauthorized.class);
    }

    @Test
    void hasNoExemptionForLoopback() {
        fixture.authenticateWrongToken("127.0.0.1");

        assertThat(fixture.authenticateWrongToken("127.0.0.1")).isInstanceOf(Throttled.class);
    }
}
