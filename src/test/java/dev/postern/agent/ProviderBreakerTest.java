package dev.postern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.agent.ProviderBreaker.Denied;
import dev.postern.agent.ProviderBreaker.Granted;
import dev.postern.agent.ProviderBreaker.Permission;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProviderBreakerTest {

    private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration NONE = Duration.ZERO;

    private long nanos = Long.MAX_VALUE;
    private final List<ProviderBreaker.Outage> outages = new ArrayList<>();
    private final ProviderBreaker breaker =
            new ProviderBreaker("mine", true, outages::add, () -> START.plusNanos(nanos - Long.MAX_VALUE), () -> nanos);

    @Test
    void opensAfterFiveFailuresInARow() {
        fail(4);
        assertThat(breaker.outage()).isEmpty();

        fail(1);

        assertThat(breaker.outage()).contains(new ProviderBreaker.Outage(START, "it answered 503"));
        assertThat(outages).containsExactly(new ProviderBreaker.Outage(START, "it answered 503"));
        assertThat(breaker.request("one")).isEqualTo(new Denied("it answered 503", Duration.ofSeconds(5)));
        assertThat(breaker.admit("one")).contains(new Denied("it answered 503", Duration.ofSeconds(5)));
    }

    @Test
    void countsOnlyFailuresInARow() {
        fail(4);
        breaker.succeeded(granted());
        fail(4);

        assertThat(breaker.outage()).isEmpty();
    }

    @Test
    void neverOpensWhileNothingIsRetried() {
        ProviderBreaker off = new ProviderBreaker("mine", false, outages::add, () -> START, () -> nanos);
        for (int i = 0; i < 10; i++) {
            off.failed((Granted) off.request("one"), "it answered 503", NONE);
        }

        assertThat(off.outage()).isEmpty();
        assertThat(off.failsRepeatedly()).isFalse();
        assertThat(outages).isEmpty();
        assertThat(off.admit("one")).isEmpty();
    }

    @Test
    void grantsOneProbeAtATime() {
        fail(5);
        advance(Duration.ofSeconds(5));

        Granted probe = granted();

        assertThat(probe.probe()).isTrue();
        advance(Duration.ofHours(1));
        assertThat(breaker.request("one")).isInstanceOf(Denied.class);
        breaker.abandoned(probe);
        assertThat(granted().probe()).isTrue();
    }

    @Test
    void admitsOneTurnForEachProbe() {
        fail(4);
        breaker.failed((Granted) breaker.request("two"), "it answered 503", NONE);
        advance(Duration.ofSeconds(5));

        assertThat(breaker.admit("one")).isEmpty();

        assertThat(breaker.admit("one")).as("the admitted turn itself").isEmpty();
        assertThat(breaker.admit("two")).contains(new Denied("it answered 503", Duration.ofSeconds(5)));
        assertThat(breaker.request("two")).isInstanceOf(Denied.class);
        assertThat(granted().probe()).as("the admitted turn's request").isTrue();
    }

    @Test
    void admitsAnotherTurnWhenTheFirstAsksNothing() {
        fail(5);
        advance(Duration.ofSeconds(5));
        assertThat(breaker.admit("one")).isEmpty();

        advance(Duration.ofSeconds(5));

        assertThat(breaker.admit("one")).isEmpty();
    }

    @Test
    void letsAnotherTurnProbeAtOnceWhileOneAloneHasFailed() {
        fail(5);
        assertThat(breaker.admit("one")).isPresent();
        assertThat(breaker.admit("two")).isEmpty();
        assertThat(breaker.admit("three")).as("beside two").isPresent();

        Granted probe = (Granted) breaker.request("two");

        assertThat(probe.probe()).isTrue();
        assertThat(breaker.request("three")).isInstanceOf(Denied.class);
        breaker.succeeded(probe);
        assertThat(breaker.outage()).isEmpty();
    }

    @Test
    void letsAnotherTurnProbeThoughTheFailedOneIsAdmitted() {
        fail(5);
        advance(Duration.ofSeconds(5));
        assertThat(breaker.admit("one")).isEmpty();

        assertThat(breaker.admit("two")).isEmpty();

        assertThat(breaker.request("one")).isInstanceOf(Denied.class);
        assertThat(granted("two").probe()).isTrue();
    }

    @Test
    void letsAnotherTurnProbeSoonWhenSeveralHaveFailed() {
        fail(4);
        fail("two");
        advance(Duration.ofSeconds(1).minusNanos(1));
        assertThat(breaker.admit("three")).contains(new Denied("it answered 503", Duration.ofNanos(1)));

        advance(Duration.ofNanos(1));

        assertThat(breaker.admit("one")).isPresent();
        assertThat(breaker.admit("two")).isPresent();
        assertThat(breaker.admit("three")).isEmpty();
        assertThat(granted("three").probe()).isTrue();
    }

    @Test
    void letsAnotherTurnProbeSoonHoweverOftenTheFailedOnesFail() {
        fail(4);
        fail("two");
        for (int pause : new int[] {5, 10, 20, 40}) {
            advance(Duration.ofSeconds(pause));
            fail(pause % 20 == 0 ? "one" : "two");
        }

        assertThat(breaker.request("two")).isEqualTo(new Denied("it answered 503", Duration.ofMinutes(1)));
        assertThat(breaker.admit("three")).isEmpty();
        breaker.succeeded(granted("three"));
        assertThat(breaker.outage()).isEmpty();
    }

    @Test
    void letsAFailedTurnProbeHoweverManyOthersFail() {
        fail(5);
        for (int second = 0; second < 5; second++) {
            fail("other " + second);
            advance(Duration.ofSeconds(1));
        }

        assertThat(breaker.admit("one")).isEmpty();
    }

    @Test
    void keepsAProbeForOthersThatWasAbandoned() {
        fail(4);
        fail("two");
        advance(Duration.ofSeconds(1));

        breaker.abandoned(granted("three"));

        assertThat(granted("three").probe()).isTrue();
    }

    @Test
    void waitsAsLongAsTheProviderAsksOthers() {
        fail(5);
        breaker.failed(granted("two"), "it answered 429", Duration.ofMinutes(2));

        assertThat(breaker.request("three")).isEqualTo(new Denied("it answered 429", Duration.ofMinutes(2)));
    }

    /** A thousand turns that ask each second, for half an hour. */
    @Test
    void asksAProviderThatIsDownOnceForEachTurnAndThenOnceAMinute() {
        fail(5);
        int requests = 0;
        for (int second = 0; second < 1_800; second++) {
            int before = requests;
            for (int turn = 0; turn < 1_000; turn++) {
                if (breaker.admit("turn " + turn).isEmpty()) {
                    fail("turn " + turn);
                    requests++;
                }
            }
            assertThat(requests - before).isLessThanOrEqualTo(2);
            advance(Duration.ofSeconds(1));
        }
        assertThat(requests).isBetween(1_000, 1_040);
        assertThat(outages).hasSize(1);
    }

    @Test
    void forgetsTheTurnThatFailedFirst() {
        fail(5);
        for (int other = 0; other < 1_000; other++) {
            fail("other " + other);
            advance(Duration.ofSeconds(1));
        }
        fail("other 7");
        advance(Duration.ofSeconds(1));

        assertThat(breaker.admit("other 7")).isPresent();
        assertThat(breaker.admit("one")).isEmpty();
    }

    @Test
    void opensLaterWhileTheProviderRespondsToOthers() {
        breaker.succeeded(granted("good"));
        for (int i = 0; i < 49; i++) {
            fail("bad " + i);
        }
        assertThat(breaker.outage()).isEmpty();

        fail("bad");

        assertThat(breaker.outage()).isPresent();
    }

    @Test
    void opensWhenTheLastResponseIsLongAgo() {
        breaker.succeeded(granted("good"));
        fail(5);
        advance(Duration.ofSeconds(30).minusNanos(1));
        fail(1);
        assertThat(breaker.outage()).isEmpty();

        advance(Duration.ofNanos(1));
        fail(1);

        assertThat(breaker.outage()).isPresent();
    }

    @Test
    void opensSoonWhenTheProviderAsksForAPause() {
        breaker.succeeded(granted("good"));
        fail(4);

        breaker.failed(granted(), "it answered 429", Duration.ofSeconds(1));

        assertThat(breaker.outage()).isPresent();
    }

    @Test
    void knowsWhetherRequestsFailRepeatedly() {
        breaker.succeeded(granted());
        fail(4);
        assertThat(breaker.failsRepeatedly()).isFalse();

        fail(1);

        assertThat(breaker.failsRepeatedly()).isTrue();
        breaker.succeeded(granted());
        assertThat(breaker.failsRepeatedly()).isFalse();
    }

    @Test
    void probesLessOftenAfterEachFailure() {
        fail(5);
        for (int pause : new int[] {5, 10, 20, 40, 60, 60}) {
            advance(Duration.ofSeconds(pause).minusNanos(1));
            assertThat(breaker.request("one")).isInstanceOf(Denied.class);
            advance(Duration.ofNanos(1));
            breaker.failed(granted(), "it answered 500", NONE);
        }
        assertThat(breaker.outage()).contains(new ProviderBreaker.Outage(START, "it answered 500"));
    }

    @Test
    void waitsAsLongAsTheProviderAsks() {
        fail(4);
        breaker.failed(granted(), "it answered 429", Duration.ofMinutes(2));

        assertThat(breaker.request("one")).isEqualTo(new Denied("it answered 429", Duration.ofMinutes(2)));
    }

    @Test
    void waitsNoLongerThanAnHour() {
        fail(4);
        breaker.failed(granted(), "it answered 429", Duration.ofDays(2));

        assertThat(breaker.request("one")).isEqualTo(new Denied("it answered 429", Duration.ofHours(1)));
    }

    @Test
    void closesAfterASuccess() {
        fail(5);
        advance(Duration.ofSeconds(5));

        breaker.succeeded(granted());

        assertThat(breaker.outage()).isEmpty();
        assertThat(granted().probe()).isFalse();
        fail(4);
        assertThat(breaker.outage()).isEmpty();
    }

    @Test
    void staysClosedWhenAnEarlierProbeFailsLate() {
        Granted early = granted();
        fail(5);
        advance(Duration.ofSeconds(5));
        Granted probe = granted();
        breaker.succeeded(early);

        breaker.failed(probe, "it answered 503", NONE);

        assertThat(breaker.outage()).isEmpty();
    }

    @Test
    void keepsItsPauseWhenAnEarlierRequestFailsLate() {
        Granted early = granted();
        fail(5);
        advance(Duration.ofSeconds(3));

        breaker.failed(early, "it answered 503", Duration.ofMinutes(9));

        assertThat(breaker.request("one")).isEqualTo(new Denied("it answered 503", Duration.ofSeconds(2)));
    }

    @Test
    void knowsWhetherAResponseCameSince() {
        Granted first = granted();
        assertThat(breaker.respondedSince(first)).isFalse();
        advance(Duration.ofSeconds(1));

        breaker.succeeded(granted());

        assertThat(breaker.respondedSince(first)).isTrue();
        advance(Duration.ofSeconds(1));
        assertThat(breaker.respondedSince(granted())).isFalse();
    }

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            fail("one");
        }
    }

    private void fail(String turn) {
        breaker.failed(granted(turn), "it answered 503", NONE);
    }

    private Granted granted() {
        return granted("one");
    }

    private Granted granted(String turn) {
        Permission permission = breaker.request(turn);
        assertThat(permission).isInstanceOf(Granted.class);
        return (Granted) permission;
    }

    private void advance(Duration by) {
        nanos += by.toNanos();
    }
}
