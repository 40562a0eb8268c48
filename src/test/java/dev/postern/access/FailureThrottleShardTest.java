package dev.postern.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The clients that keep a place in a full set. Through the authenticator, no test can choose two clients of one set.
 */
class FailureThrottleShardTest {

    private static final int FAILURES = 5;
    private static final int WINDOW = 1_000;
    private static final int LOCKOUT = 500;
    private static final int SETS = 3;
    private static final int NEWCOMER = 99;

    private final FailureThrottleShard shard = new FailureThrottleShard(SETS, FAILURES, WINDOW, LOCKOUT);
    private int set;
    private long now = 1_000_000;

    @BeforeEach
    void chooseTheLastSet() {
        set = SETS - 1;
    }

    @Test
    void givesTheNewcomerThePlaceOfTheOneWithTheFewestFailures() {
        for (int client = 1; client <= 8; client++) {
            fail(client, client == 6 ? 2 : 4);
        }

        fail(NEWCOMER, 1);

        assertThat(shard.dropped()).isEqualTo(1);
        assertThat(failuresUntilLockedOut(8)).isEqualTo(1);
        assertThat(failuresUntilLockedOut(1)).isEqualTo(1);
        assertThat(failuresUntilLockedOut(6)).isEqualTo(5);
    }

    @Test
    void givesTheNewcomerThePlaceOfTheQuietestAmongEquals() {
        for (int client = 1; client <= 8; client++) {
            fail(client, 1);
        }
        for (int client : new int[] {8, 7, 6, 5, 1, 2, 3, 4}) {
            now++;
            fail(client, 1);
        }
        fail(8, 1);

        fail(NEWCOMER, 1);

        assertThat(failuresUntilLockedOut(6)).isEqualTo(3);
        assertThat(failuresUntilLockedOut(8)).isEqualTo(2);
        assertThat(shard.dropped()).isEqualTo(1);
        assertThat(failuresUntilLockedOut(7)).isEqualTo(5);
    }

    @Test
    void neverGivesThePlaceOfALockOutToANewcomer() {
        for (int client = 1; client <= 8; client++) {
            fail(client, client == 3 ? 4 : FAILURES);
        }

        fail(NEWCOMER, 1);

        assertThat(shard.lockedOut(now)).isEqualTo(7);
        assertThat(failuresUntilLockedOut(NEWCOMER)).isEqualTo(4);
        assertThat(shard.lockedOut(now)).isEqualTo(8);
    }

    @Test
    void locksNewClientOutUntilFirstLockOutOfItsFullSetEnds() {
        for (int client = 8; client >= 1; client--) {
            fail(client, FAILURES);
            now += 10;
        }

        assertThat(shard.recordFailure(NEWCOMER, set, now)).isEqualTo(LOCKOUT - 80);
        assertThat(shard.recordFailure(NEWCOMER, set, now)).isEqualTo(LOCKOUT - 80);
        assertThat(shard.dropped()).isEqualTo(2);
        now += LOCKOUT - 80;
        assertThat(shard.recordFailure(NEWCOMER, set, now)).isZero();
        assertThat(shard.dropped()).isEqualTo(2);
        assertThat(shard.lockedOut(now)).isEqualTo(7);
    }

    @Test
    void checksNoAttemptOfNewClientInSetFullOfLockOuts() {
        assertThat(shard.mayTry(NEWCOMER, set, now, 0)).isZero();
        for (int client = 8; client >= 1; client--) {
            fail(client, FAILURES);
            now += 10;
        }

        assertThat(shard.mayTry(NEWCOMER, set, now, 0)).isEqualTo(LOCKOUT - 80);
        now += LOCKOUT - 80;
        assertThat(shard.mayTry(NEWCOMER, set, now, 0)).isZero();
    }

    @Test
    void countsAttemptsInProgressWithFailuresOfWindow() {
        fail(1, 2);
        now += WINDOW - 1;
        fail(1, 1);

        assertThat(shard.mayTry(1, set, now, FAILURES - 4)).isZero();
        assertThat(shard.mayTry(1, set, now, FAILURES - 3)).isEqualTo(FailureThrottleShard.BUSY);
        now++;
        assertThat(shard.mayTry(1, set, now, FAILURES - 2)).isZero();
        assertThat(shard.mayTry(1, set, now, FAILURES - 1)).isEqualTo(FailureThrottleShard.BUSY);
    }

    @Test
    void keepsTheNeighboursOfOtherSetsOutOfIt() {
        for (set = 0; set < SETS; set++) {
            for (int client = 1; client <= 8; client++) {
                fail(client, 4);
            }
        }

        for (set = 0; set < SETS; set++) {
            for (int client = 1; client <= 8; client++) {
                assertThat(failuresUntilLockedOut(client)).isEqualTo(1);
            }
        }
        assertThat(shard.dropped()).isZero();
        assertThat(shard.lockedOut(now)).isEqualTo(SETS * 8);
    }

    @Test
    void givesTheNewcomerAPlaceWhoseWindowIsOverBeforeAnyOther() {
        fail(1, 4);
        now += WINDOW - 1;
        for (int client = 2; client <= 8; client++) {
            fail(client, 1);
        }
        now++;

        fail(NEWCOMER, 1);

        assertThat(shard.dropped()).isZero();
        assertThat(failuresUntilLockedOut(2)).isEqualTo(4);
    }

    @Test
    void keepsCountOfClientThatFailsJustTooSeldom() {
        for (int i = 0; i < 1_000; i++) {
            now += WINDOW / (FAILURES - 1) + 1;
            fail(1, 1);
        }
        int seldom = NEWCOMER;

        for (int client = 2; client <= 8; client++) {
            fail(client, 2);
        }
        fail(seldom, 1);

        assertThat(failuresUntilLockedOut(1)).isEqualTo(1);
    }

    private void fail(int client, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(shard.recordFailure(client, set, now)).isZero();
        }
    }

    private int failuresUntilLockedOut(int client) {
        int allowed = 0;
        while (shard.recordFailure(client, set, now) == 0) {
            allowed++;
        }
        return allowed;
    }
}
