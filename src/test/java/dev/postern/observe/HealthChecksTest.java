package dev.postern.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.observe.HealthCheck.Down;
import dev.postern.observe.HealthCheck.Up;
import dev.postern.observe.Readiness.Finding;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class HealthChecksTest {

    @Test
    void isNotReadyForEachReasonThatKeptItFromStarting() {
        HealthChecks health = HealthChecks.notStarted(List.of("hooks.token is not set", "hooks.path is [/]"));

        assertThat(health.ready())
                .isEqualTo(new Readiness(
                        false,
                        List.of(
                                new Finding("start", new Down("hooks.token is not set")),
                                new Finding("start", new Down("hooks.path is [/]")))));
        assertThat(health.live()).isTrue();
    }

    @Test
    void isNotReadyButLiveWhileANeededPartIsDown() {
        HealthChecks health = new HealthChecks()
                .addVitalComponent("commit thread", Up::new)
                .addComponent("database", () -> new Down("the database takes no commits"));

        assertThat(health.ready())
                .isEqualTo(new Readiness(
                        false,
                        List.of(
                                new Finding("commit thread", new Up()),
                                new Finding("database", new Down("the database takes no commits")))));
        assertThat(health.live()).isTrue();
    }

    @Test
    void isNeitherReadyNorLiveWhileAVitalPartIsDown() {
        HealthChecks health =
                new HealthChecks().addVitalComponent("commit thread", () -> new Down("the commit thread has ended"));

        assertThat(health.live()).isFalse();
        assertThat(health.ready().ready()).isFalse();
    }

    @Test
    void saysOfACheckThatFailsItselfNothingButItsKind() {
        HealthChecks health = new HealthChecks().addComponent("database", () -> {
            throw new IllegalStateException("jdbc:postgresql://db?password=hunter2");
        });

        assertThat(health.ready().findings())
                .containsExactly(
                        new Finding("database", new Down("the check itself failed with IllegalStateException")));
    }

    @Test
    void looksAgainAfterASecond() {
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE);
        AtomicReference<HealthCheck> database = new AtomicReference<>(new Down("away"));
        HealthChecks health = new HealthChecks(nanos::get).addComponent("database", database::get);
        assertThat(health.ready().ready()).isFalse();
        database.set(new Up());

        nanos.addAndGet(999_999_999);
        assertThat(health.ready().ready()).isFalse();
        nanos.incrementAndGet();
        assertThat(health.ready().ready()).isTrue();
    }

    @Test
    void isLiveAndReadyWithNothingToLookAt() {
        assertThat(new HealthChecks().live()).isTrue();
        assertThat(new HealthChecks().ready()).isEqualTo(new Readiness(true, List.of()));
    }
}
