package dev.postern.access;

import static dev.postern.access.HookAuthenticatorFixture.ATTACKER;
import static dev.postern.access.HookAuthenticatorFixture.FAILURES;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RejectedRequestLogTest {

    private final HookAuthenticatorFixture fixture = new HookAuthenticatorFixture();
    private final HookAuthenticatorFixture logins = new HookAuthenticatorFixture();
    private final RejectedRequestLog log =
            new RejectedRequestLog(new AuthenticationLockouts(fixture.failures, logins.failures));
    private final Logger logger = Logger.getLogger("dev.postern.access");
    private final List<LogRecord> lines = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
    }

    @AfterEach
    void stopListening() {
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
    }

    @Test
    void saysNothingPerRequestAndOneLineForAll() {
        fixture.countUnauthorized(FAILURES + 14, ATTACKER);
        assertThat(lines).isEmpty();

        log.logSummary();

        assertThat(lines)
                .extracting(LogRecord::getMessage)
                .containsExactly(
                        "Rejected 34 requests in the last minute (401: 20, 429: 14; wrong token: 34); clients locked out: 1 of hooks, 0 of logins");
        assertThat(lines).extracting(LogRecord::getLevel).containsExactly(Level.INFO);
    }

    @Test
    void countsLoginsWithTheHooksAndTheirLockOutsApart() {
        fixture.countUnauthorized(1, ATTACKER);
        logins.countUnauthorized(FAILURES + 1, ATTACKER);

        log.logSummary();

        assertThat(lines)
                .extracting(LogRecord::getMessage)
                .containsExactly(
                        "Rejected 22 requests in the last minute (401: 21, 429: 1; wrong token: 22); clients locked out: 0 of hooks, 1 of logins");
    }

    @Test
    void tellsAWrongSignatureFromAMissingToken() {
        fixture.hookAuthenticator.authenticate(ATTACKER, name -> Collections.emptyEnumeration());
        fixture.hookAuthenticator.authenticateSignature(ATTACKER, false);
        fixture.hookAuthenticator.rejectUnsigned(ATTACKER);
        new PasswordAuthenticator(logins.failures).authenticate(ATTACKER, () -> false);

        log.logSummary();

        assertThat(lines)
                .extracting(LogRecord::getMessage)
                .containsExactly("Rejected 4 requests in the last minute (401: 4, 429: 0; no token: 1; no or wrong"
                        + " signature: 2; wrong login: 1); clients locked out: 0 of hooks, 0 of logins");
    }

    @Test
    void saysNothingWhenNothingWasRefused() {
        log.logSummary();
        fixture.authenticateRightToken(ATTACKER);
        log.logSummary();

        assertThat(lines).isEmpty();
    }

    @Test
    void countsEachRefusalInOneLineOnly() {
        fixture.countUnauthorized(2 * FAILURES, ATTACKER);
        log.logSummary();
        log.logSummary();
        fixture.countUnauthorized(5, ATTACKER);
        log.logSummary();
        fixture.countUnauthorized(1, "203.0.113.8");
        log.logSummary();

        assertThat(lines)
                .extracting(LogRecord::getMessage)
                .containsExactly(
                        "Rejected 40 requests in the last minute (401: 20, 429: 20; wrong token: 40); clients locked out: 1 of hooks, 0 of logins",
                        "Rejected 5 requests in the last minute (401: 0, 429: 5; wrong token: 5); clients locked out: 1 of hooks, 0 of logins",
                        "Rejected 1 request in the last minute (401: 1, 429: 0; wrong token: 1); clients locked out: 1 of hooks, 0 of logins");
    }

    @Test
    void warnsOnceWhenItHadToDropCounts() {
        for (int i = 0; i < 200_000; i++) {
            fixture.authenticateWrongToken("10." + (i >> 16) + "." + (i >> 8 & 0xff) + "." + (i & 0xff));
        }
        log.logSummary();
        fixture.countUnauthorized(FAILURES, "10.3.13.63");
        log.logSummary();

        assertThat(lines.get(0).getLevel()).isEqualTo(Level.WARNING);
        assertThat(lines.get(0).getMessage()).matches(".*; client table full, 1\\d{5} failure counts dropped early");
        assertThat(lines.get(1).getLevel()).isEqualTo(Level.INFO);
        assertThat(lines).hasSize(2);
    }
}
