package dev.postern.ingress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.ingress.SkippedRequests.OtherPostern;
import dev.postern.model.NothingReason;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SkippedRequestsTest {

    private static final Instant START = Instant.parse("2026-11-26T12:00:00Z");

    private Instant now = START;
    private final SkippedRequests skipped = new SkippedRequests(() -> now);

    @Test
    void ownEventsAreCountedAndAreNoConcern() {
        skipped.add("github-issues", NothingReason.OWN_ACCOUNT);
        skipped.add("github-issues", NothingReason.OWN_DELIVERY);

        assertThat(skipped.count(NothingReason.OWN_ACCOUNT)).isEqualTo(1);
        assertThat(skipped.count(NothingReason.OWN_DELIVERY)).isEqualTo(1);
        assertThat(skipped.others()).isEmpty();
    }

    @Test
    void anotherPosternIsRememberedForAnHour() {
        skipped.add("jira", NothingReason.OTHER_POSTERN);
        now = START.plus(Duration.ofMinutes(59));
        skipped.add("jira", NothingReason.OTHER_POSTERN);

        assertThat(skipped.others()).containsExactly(new OtherPostern("jira", 2, START, now));

        now = now.plus(Duration.ofMinutes(61));
        assertThat(skipped.others()).isEmpty();

        skipped.add("jira", NothingReason.OTHER_POSTERN);
        assertThat(skipped.others()).containsExactly(new OtherPostern("jira", 1, now, now));
        assertThat(skipped.count(NothingReason.OTHER_POSTERN)).isEqualTo(3);
    }
}
