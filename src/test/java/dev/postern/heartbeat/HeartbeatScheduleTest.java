package dev.postern.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.AgentSettings.ActiveHours;
import dev.postern.config.AgentSettings.Heartbeat;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeartbeatScheduleTest {

    private static final Instant LONG_AGO = Instant.EPOCH;

    @Test
    void isNeverDueWhenItIsOff() {
        HeartbeatSchedule off = schedule(Duration.ZERO, null);

        assertThat(off.isOn()).isFalse();
        assertThat(off.isDue(LONG_AGO, Instant.parse("2026-11-21T12:00:00Z"))).isFalse();
    }

    @Test
    void isDueOnceTheTimeSinceTheLatestIsOver() {
        HeartbeatSchedule halfHourly = schedule(Duration.ofMinutes(30), null);
        Instant latest = Instant.parse("2026-11-21T12:00:00Z");

        assertThat(halfHourly.isDue(latest, Instant.parse("2026-11-21T12:29:59Z")))
                .isFalse();
        assertThat(halfHourly.isDue(latest, Instant.parse("2026-11-21T12:30:00Z")))
                .isTrue();
        assertThat(halfHourly.next(latest)).isEqualTo("2026-11-21T12:30:00Z");
    }

    @ParameterizedTest
    @CsvSource({
        "08:00, 22:00, 2026-07-01T05:59:59Z, false",
        "08:00, 22:00, 2026-07-01T06:00:00Z, true",
        "08:00, 22:00, 2026-07-01T19:59:59Z, true",
        "08:00, 22:00, 2026-07-01T20:00:00Z, false",
        "08:00, 22:00, 2026-12-01T06:30:00Z, false",
        "22:00, 06:00, 2026-07-01T20:00:00Z, true",
        "22:00, 06:00, 2026-07-01T23:00:00Z, true",
        "22:00, 06:00, 2026-07-01T03:59:59Z, true",
        "22:00, 06:00, 2026-07-01T04:00:00Z, false",
        "22:00, 06:00, 2026-07-01T12:00:00Z, false",
        "08:00, 08:00, 2026-07-01T01:00:00Z, true",
        // 02:00 to 03:00 is left out in spring, and comes twice in autumn.
        "02:30, 04:00, 2026-03-29T00:59:59Z, false",
        "02:30, 04:00, 2026-03-29T01:00:00Z, true",
        "02:30, 04:00, 2026-03-29T01:59:59Z, true",
        "02:30, 04:00, 2026-03-29T02:00:00Z, false",
        "22:00, 02:30, 2026-03-29T00:59:59Z, true",
        "22:00, 02:30, 2026-03-29T01:00:00Z, false",
        "02:30, 04:00, 2026-10-25T00:29:59Z, false",
        "02:30, 04:00, 2026-10-25T00:30:00Z, true",
        "02:30, 04:00, 2026-10-25T01:00:00Z, false",
        "02:30, 04:00, 2026-10-25T01:30:00Z, true",
        "02:30, 04:00, 2026-10-25T03:00:00Z, false",
    })
    void keepsToTheHoursOfItsTimeZone(LocalTime start, LocalTime end, Instant now, boolean due) {
        ActiveHours berlin = new ActiveHours(start, end, ZoneId.of("Europe/Berlin"));

        assertThat(schedule(Duration.ofMinutes(30), berlin).isDue(LONG_AGO, now))
                .isEqualTo(due);
    }

    @Test
    void isActiveAtOnceWhereEveryHourIs() {
        assertThat(schedule(Duration.ofMinutes(30), null).firstActive(LONG_AGO)).isEqualTo(LONG_AGO);
    }

    @ParameterizedTest
    @CsvSource({
        "08:00, 22:00, 2026-07-01T05:59:59Z, 2026-07-01T06:00:00Z",
        "08:00, 22:00, 2026-07-01T12:00:00Z, 2026-07-01T12:00:00Z",
        "08:00, 22:00, 2026-07-01T20:00:00Z, 2026-07-02T06:00:00Z",
        "22:00, 06:00, 2026-07-01T12:00:00Z, 2026-07-01T20:00:00Z",
        "22:00, 06:00, 2026-07-01T23:00:00Z, 2026-07-01T23:00:00Z",
        "08:00, 08:00, 2026-07-01T01:00:00Z, 2026-07-01T01:00:00Z",
        // 02:00 to 03:00 is left out in spring, and comes twice in autumn.
        "02:30, 04:00, 2026-03-28T23:00:00Z, 2026-03-29T01:30:00Z",
        "02:10, 02:50, 2026-03-28T23:00:00Z, 2026-03-30T00:10:00Z",
        "02:30, 04:00, 2026-10-24T23:00:00Z, 2026-10-25T00:30:00Z",
    })
    void knowsWhenItsHoursBegin(LocalTime start, LocalTime end, Instant from, Instant first) {
        ActiveHours berlin = new ActiveHours(start, end, ZoneId.of("Europe/Berlin"));

        assertThat(schedule(Duration.ofMinutes(30), berlin).firstActive(from)).isEqualTo(first);
    }

    private static HeartbeatSchedule schedule(Duration every, ActiveHours hours) {
        return new HeartbeatSchedule(new Heartbeat(every, "last", null, hours));
    }
}
