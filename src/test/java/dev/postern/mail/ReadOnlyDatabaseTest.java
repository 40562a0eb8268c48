package dev.postern.mail;

import static dev.postern.mail.GreenMailServer.soon;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.mail.MailWatcher.MailIntervals;
import dev.postern.net.Backoff;
import dev.postern.observe.HealthCheck;
import dev.postern.store.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the watcher with a database that can be read and takes no cursor of the mailbox. */
class ReadOnlyDatabaseTest {

    private static final MailIntervals PATIENT = new MailIntervals(
            Duration.ofSeconds(3),
            Duration.ofMillis(100),
            Duration.ofMillis(50),
            new Backoff(Duration.ofMillis(20), Duration.ofMinutes(1)),
            new Backoff(Duration.ofMillis(20), Duration.ofMinutes(1)),
            Duration.ofMinutes(1),
            20);

    @TempDir
    Path home;

    private GreenMailServer mailServer;

    @BeforeEach
    void open() throws Exception {
        mailServer = new GreenMailServer();
    }

    @AfterEach
    void close() {
        mailServer.close();
    }

    @Test
    void pausesWhereASkippedMailCanNotBeStored() throws Exception {
        String mappings =
                """
                  mappings:
                    - match: {path: gmail}
                      messageTemplate: "Subject: {{payload.messages[0].subject}}"
                      agentId: "{{payload.messages[0].subject}}"
                  allowedAgentIds: []
                """;
        try (MailWatchFixture scene = MailWatchFixture.at(home, mailServer.port(), mappings, "", PATIENT)
                .watch()) {
            refuseCursors(scene);
            long start = System.nanoTime();
            mailServer.deliver("forbidden");
            failsSevenTimes(scene);

            // The first pause is 20 ms, and each one is twice as long as the one before.
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(2_500));
            takeCursors(scene);
            soon().until(() -> scene.watcher.metrics().skipped(MailSkipReason.REFUSED) == 1);
        }
    }

    @Test
    void copiesAMailOnceThoughThatCanNotBeStored() throws Exception {
        mailServer.newFolder("Done");
        String afterwards = "    afterwards: move to Done\n";
        try (BreakableProxy proxy = new BreakableProxy(mailServer.port());
                MailWatchFixture scene =
                        MailWatchFixture.at(home, proxy.port(), MailWatchFixture.PRESET, afterwards, PATIENT)) {
            AtomicBoolean refused = new AtomicBoolean();
            proxy.answer(command -> {
                if (command.startsWith("COPY ") && !refused.getAndSet(true)) {
                    refuseCursors(scene);
                }
                return command.equals("CAPABILITY")
                        ? Optional.of("* CAPABILITY IMAP4rev1 IDLE\r\nTAG OK done")
                        : Optional.empty();
            });
            scene.watch();
            mailServer.deliver("one");
            failsSevenTimes(scene);
            assertThat(mailServer.mails("Done")).hasSize(1);

            takeCursors(scene);
            mailServer.deliver("two");
            soon().until(() -> mailServer.mails("Done").size() >= 2);
            assertThat(mailServer.mails("Done")).hasSize(2);
            assertThat(scene.accepted()).containsExactly("one", "two");
        }
    }

    private static void failsSevenTimes(MailWatchFixture scene) {
        soon().until(() -> scene.watcher.metrics().connections() > 7);
        soon().until(() -> scene.watcher.metrics().check() instanceof HealthCheck.Impaired impaired
                && impaired.reason().startsWith("the database does not store which mails were read"));
    }

    private static void refuseCursors(MailWatchFixture scene) {
        write(scene, "CREATE TRIGGER refusal BEFORE UPDATE ON bookmark BEGIN SELECT RAISE(ABORT, 'disk full'); END");
    }

    private static void takeCursors(MailWatchFixture scene) {
        write(scene, "DROP TRIGGER refusal");
    }

    private static void write(MailWatchFixture scene, String statement) {
        try {
            scene.store.writeAndWait(sql -> sql.update(statement));
        } catch (StoreException e) {
            throw new IllegalStateException(e);
        }
    }
}
