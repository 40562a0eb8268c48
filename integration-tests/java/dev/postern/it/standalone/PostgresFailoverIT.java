package dev.postern.it.standalone;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test of a primary PostgreSQL that is killed under load, and of its synchronous standby that takes its place.
 * {@code -Dit.failovers=5} is the long one.
 */
@EnabledIf(
        value = "dev.postern.it.standalone.DebianPostgres#isInstalled",
        disabledReason = DebianPostgres.NOT_INSTALLED)
@Tag("long")
@Tag("outage")
@Timeout(1_800)
class PostgresFailoverIT extends DatabaseOutageFixture {

    private static final int TIMES = Integer.getInteger("it.failovers", 1);
    private static final Duration SHORT = Duration.ofSeconds(3);

    @RegisterExtension
    static final PostgresPair PAIR = new PostgresPair();

    PostgresFailoverIT() {
        super(PAIR);
    }

    @Test
    void losesNothingWhenTheStandbyTakesOver() throws Exception {
        survives("PostgreSQL failed over", TIMES, SHORT, PAIR::kill, PAIR::failOver);
    }
}
