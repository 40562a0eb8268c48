package dev.postern.access;

import static dev.postern.access.HookAuthenticatorFixture.ATTACKER;
import static dev.postern.access.HookAuthenticatorFixture.FAILURES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.access.AuthenticationResult.Throttled;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class HookAuthenticatorFloodTest {

    private static final int CLIENTS = 1_000_000;
    private static final long MIB = 1024 * 1024;

    private final HookAuthenticatorFixture fixture = new HookAuthenticatorFixture();

    @Test
    void keepsItsMemoryAndItsLockOutsUnderAFloodOfAddresses() {
        long before = heapInUse();
        fixture.countUnauthorized(FAILURES, ATTACKER);

        flood(CLIENTS);

        assertThat(heapInUse() - before).isLessThan(64 * MIB);
        assertThat(fixture.authenticateWrongToken(ATTACKER)).isEqualTo(new Throttled(60));
        assertThat(fixture.failures.lockedOutClients()).isEqualTo(1);
        assertThat(fixture.failures.droppedCounts()).isBetween(CLIENTS - 100_001L, (long) CLIENTS);
    }

    @Test
    void keepsCountOfRealGuesserUnderFloodOfAddresses() {
        fixture.countUnauthorized(FAILURES - 1, ATTACKER);

        flood(CLIENTS);

        assertThat(fixture.countUnauthorized(2, ATTACKER)).isEqualTo(1);
    }

    @Test
    void freesThePlacesOfAFloodWhenItsWindowIsOver() {
        flood(CLIENTS / 5);
        long dropped = fixture.after(Duration.ofMinutes(1)).failures.droppedCounts();

        flood(1_000);

        assertThat(fixture.failures.droppedCounts()).isEqualTo(dropped);
    }

    @Test
    void freesNobodyWhenMoreClientsAreLockedOutThanItHasRoomFor() {
        HookAuthenticatorFixture strict = new HookAuthenticatorFixture(1, 0);
        strict.authenticateWrongToken(ATTACKER);
        int refused = 0;
        for (int i = 0; i < CLIENTS; i++) {
            refused += strict.countUnauthorized(1, address(i));
        }

        assertThat(refused).isLessThan(100_000);
        assertThat(strict.failures.lockedOutClients()).isEqualTo(refused + 1).isGreaterThan(99_000);
        assertThat(strict.failures.droppedCounts()).isEqualTo(CLIENTS - refused);
        assertThat(strict.authenticateWrongToken(ATTACKER)).isEqualTo(new Throttled(60));
        assertThat(strict.authenticateWrongToken("198.51.100.1")).isEqualTo(new Throttled(60));
        assertThat(strict.after(Duration.ofMinutes(1)).countUnauthorized(2, "198.51.100.1"))
                .isEqualTo(1);
    }

    @Test
    void keepsItsMemoryHoweverManyFailuresItHasToRemember() {
        long before = heapInUse();
        HookAuthenticatorFixture patient = new HookAuthenticatorFixture(1000, 0);
        for (int i = 0; i < CLIENTS / 5; i++) {
            patient.authenticateWrongToken(address(i));
        }

        assertThat(heapInUse() - before).isLessThan(64 * MIB);
        assertThat(patient.countUnauthorized(1001, ATTACKER)).isEqualTo(1000);
    }

    private void flood(int clients) {
        for (int i = 0; i < clients; i++) {
            fixture.authenticateWrongToken(address(i));
        }
    }

    /** A different client for each number, IPv4 and IPv6 by turns. */
    private static String address(int number) {
        return number % 2 == 0
                ? "10." + (number >> 16) + "." + (number >> 8 & 0xff) + "." + (number & 0xff)
                : "2001:db8:" + Integer.toHexString(number >> 16) + ":" + Integer.toHexString(number & 0xffff) + "::1";
    }

    private static long heapInUse() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
