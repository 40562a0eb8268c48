package dev.postern.access;

import static dev.postern.access.Doorway.ATTACKER;
import static dev.postern.access.Doorway.FAILURES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.access.AuthenticationResult.Throttled;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HookAuthenticatorFloodTest {

    private static final int CLIENTS = 1_000_000;
    private static final long MIB = 1024 * 1024;

    private final Doorway door = new Doorway();

    @Test
    void keepsItsMemoryAndItsLockOutsUnderAFloodOfAddresses() {
        long before = heapInUse();
        door.refusedOf(FAILURES, ATTACKER);

        flood(CLIENTS);

        assertThat(heapInUse() - before).isLessThan(64 * MIB);
        assertThat(door.wrong(ATTACKER)).isEqualTo(new Throttled(60));
        assertThat(door.failures.lockedOutClients()).isEqualTo(1);
        assertThat(door.failures.droppedCounts()).isBetween(CLIENTS - 100_001L, (long) CLIENTS);
    }

    @Test
    void keepsCountOfRealGuesserUnderFloodOfAddresses() {
        door.refusedOf(FAILURES - 1, ATTACKER);

        flood(CLIENTS);

        assertThat(door.refusedOf(2, ATTACKER)).isEqualTo(1);
    }

    @Test
    void freesThePlacesOfAFloodWhenItsWindowIsOver() {
        flood(CLIENTS / 5);
        long dropped = door.after(Duration.ofMinutes(1)).failures.droppedCounts();

        flood(1_000);

        assertThat(door.failures.droppedCounts()).isEqualTo(dropped);
    }

    @Test
    void freesNobodyWhenMoreClientsAreLockedOutThanItHasRoomFor() {
        Doorway strict = new Doorway(1, 0);
        strict.wrong(ATTACKER);
        int refused = 0;
        for (int i = 0; i < CLIENTS; i++) {
            refused += strict.refusedOf(1, address(i));
        }

        assertThat(refused).isLessThan(100_000);
        assertThat(strict.failures.lockedOutClients()).isEqualTo(refused + 1).isGreaterThan(99_000);
        assertThat(strict.failures.droppedCounts()).isEqualTo(CLIENTS - refused);
        assertThat(strict.wrong(ATTACKER)).isEqualTo(new Throttled(60));
        assertThat(strict.wrong("198.51.100.1")).isEqualTo(new Throttled(60));
        assertThat(strict.after(Duration.ofMinutes(1)).refusedOf(2, "198.51.100.1"))
                .isEqualTo(1);
    }

    @Test
    void keepsItsMemoryHoweverManyFailuresItHasToRemember() {
        long before = heapInUse();
        Doorway patient = new Doorway(1000, 0);
        for (int i = 0; i < CLIENTS / 5; i++) {
            patient.wrong(address(i));
        }

        assertThat(heapInUse() - before).isLessThan(64 * MIB);
        assertThat(patient.refusedOf(1001, ATTACKER)).isEqualTo(1000);
    }

    private void flood(int clients) {
        for (int i = 0; i < clients; i++) {
            door.wrong(address(i));
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
