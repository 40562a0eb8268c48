package dev.postern.store;

import static java.time.temporal.ChronoUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of the clock that nodes share. */
class DatabaseClockTest {

    private static final InstantSource FAR_OFF = InstantSource.offset(InstantSource.system(), Duration.ofHours(-1));

    private long nanos;

    @TempDir
    Path home;

    @Test
    void isTheDatabasesWhateverTheMachineSays() throws Exception {
        try (Store store = TestDatabases.postgres(home).open(FAR_OFF)) {
            assertThat(store.clock().instant()).isCloseTo(Instant.now(), within(5, SECONDS));
        }
    }

    @Test
    void isTheMachinesWhereTheDatabaseIsAFileOfOurs() throws Exception {
        try (Store store = TestDatabases.sqlite(home).open(FAR_OFF)) {
            assertThat(store.clock()).isSameAs(FAR_OFF);
        }
    }

    @Test
    void keepsToTheLastReadingThatWasQuick() throws Exception {
        try (Store store = TestDatabases.postgres(home).open(FAR_OFF)) {
            DatabaseClock clock = new DatabaseClock(FAR_OFF, () -> nanos);
            assertThat(store.<Boolean>read(clock::read)).isTrue();
            Instant read = clock.instant();
            long slow = DatabaseClock.MOST_DOUBT.plusMillis(1).toNanos();
            DatabaseClock frozen = new DatabaseClock(InstantSource.fixed(Instant.EPOCH), () -> nanos += slow);

            assertThat(store.<Boolean>read(frozen::read)).isFalse();
            assertThat(frozen.instant()).isBefore(Instant.EPOCH.plusSeconds(10));
            assertThat(clock.instant()).isEqualTo(read.plusNanos(nanos));
        }
    }
}
