package dev.postern.mail;

import static dev.postern.mail.GreenMailServer.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.icegreen.greenmail.store.StoredMessage;
import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import dev.postern.model.RequestLogEntry;
import dev.postern.observe.HealthCheck;
import jakarta.mail.Flags;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the watcher with a mailbox on a real server. */
@Tag("long")
class MailWatcherTest {

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
    void saysThatTheServerRefusesTheLoginAndGoesOnToTry() throws Exception {
        mailServer.password("another-password");
        try (MailWatchFixture scene = MailWatchFixture.at(home, mailServer.port())) {
            scene.watcher.start();

            soon().until(() -> scene.watcher.metrics().check() instanceof HealthCheck.Impaired);
            assertThat(((HealthCheck.Impaired) scene.watcher.metrics().check()).reason())
                    .startsWith("the login is refused (the log says more) since ");

            mailServer.password(GreenMailServer.PASSWORD);
            soon().until(() -> scene.watcher.metrics().isWatching());
            mailServer.deliver("after all");
            assertThat(scene.accepted(1)).containsExactly("after all");
        }
    }

    @Test
    void takesWhatHasComeSinceTheFirstStartOnceItCanLogIn() throws Exception {
        Instant before = Instant.now().minusSeconds(60);
        mailServer.deliver("before the start", "before@example.org", before);
        mailServer.password("another-password");
        try (MailWatchFixture scene = MailWatchFixture.at(home, mailServer.port())) {
            scene.watcher.start();
            soon().until(() -> scene.watcher.metrics().check() instanceof HealthCheck.Impaired);
            mailServer.deliver("at the first start");
        }
        try (MailWatchFixture scene = MailWatchFixture.at(home, mailServer.port())) {
            scene.watcher.start();
            soon().until(() -> scene.watcher.metrics().check() instanceof HealthCheck.Impaired);
            mailServer.deliver("at the second start");
            mailServer.deliver("moved here", "moved@example.org", before);

            mailServer.password(GreenMailServer.PASSWORD);
            soon().until(() -> scene.watcher.metrics().isWatching());
            mailServer.deliver("after the login", "after@example.org", before);

            assertThat(scene.accepted(3))
                    .containsExactly("at the first start", "at the second start", "after the login");
            scene.hasHandled(3);
        }
    }

    @Test
    void leavesWhatWasThereBefore() throws Exception {
        for (int i = 0; i < 25; i++) {
            mailServer.deliver(
                    "old " + i, "old-" + i + "@example.org", Instant.now().minusSeconds(60));
        }
        try (MailWatchFixture scene =
                MailWatchFixture.at(home, mailServer.port()).watch()) {
            mailServer.deliver("new");

            assertThat(scene.accepted(1)).containsExactly("new");
            for (StoredMessage mail : mailServer.mails("INBOX")) {
                assertThat(mail.isSet(Flags.Flag.SEEN)).isFalse();
            }
        }
    }

    @Test
    void takesWhatHasComeSinceAGivenTime() throws Exception {
        mailServer.deliver("late", "late@example.org", Instant.parse("2026-11-19T12:00:00Z"));
        mailServer.deliver("early", "early@example.org", Instant.parse("2026-11-01T11:59:59Z"));
        mailServer.deliver("on time", "on-time@example.org", Instant.parse("2026-11-01T12:00:00Z"));
        String since = "    since: 2026-11-01T12:00:00Z\n";
        try (MailWatchFixture scene = MailWatchFixture.at(home, mailServer.port(), MailWatchFixture.PRESET, since)
                .watch()) {
            mailServer.deliver("new");

            assertThat(scene.accepted(3)).containsExactly("late", "on time", "new");
        }
        try (MailWatchFixture scene = MailWatchFixture.at(home, mailServer.port(), MailWatchFixture.PRESET, since)
                .watch()) {
            mailServer.deliver("newer");

            assertThat(scene.accepted(4)).containsExactly("late", "on time", "new", "newer");
        }
    }

    @Test
    void goesOnWhereItStopped() throws Exception {
        try (MailWatchFixture scene =
                MailWatchFixture.at(home, mailServer.port()).watch()) {
            mailServer.deliver("one");
            scene.accepted(1);
        }
        mailServer.deliver("two");
        mailServer.deliver("three");
        try (MailWatchFixture scene =
                MailWatchFixture.at(home, mailServer.port()).watch()) {
            mailServer.deliver("four");

            assertThat(scene.accepted(4)).containsExactly("one", "two", "three", "four");
            scene.hasHandled(3);
        }
    }

    @Test
    void tellsMailsApartByTheirArrivalWhereTheServerNumbersThemAnew() throws Exception {
        Instant second = Instant.parse("2026-11-20T10:00:00Z");
        String settings = "    label: Watched\n    since: 2026-11-01\n";
        mailServer.newFolder("Watched");
        try (MailWatchFixture scene = MailWatchFixture.at(home, mailServer.port(), MailWatchFixture.PRESET, settings)
                .watch()) {
            mailServer.deliver("Watched", "first", "first@example.org", second.minusSeconds(1));
            mailServer.deliver("Watched", "second", "second@example.org", second);
            scene.accepted(2);
        }
        mailServer.recreateFolder("Watched");
        mailServer.deliver("Watched", "second", "second@example.org", second);
        mailServer.deliver("Watched", "same second", "same-second@example.org", second);
        mailServer.deliver("Watched", "first", "first@example.org", second.minusSeconds(1));
        mailServer.deliver("Watched", "third", "third@example.org", second.plusSeconds(1));
        try (MailWatchFixture scene = MailWatchFixture.at(home, mailServer.port(), MailWatchFixture.PRESET, settings)
                .watch()) {
            mailServer.deliver("Watched", "fourth", "fourth@example.org", second.minusSeconds(9));

            assertThat(scene.accepted(5)).containsExactly("first", "second", "same second", "third", "fourth");
            scene.hasHandled(3);
        }
    }

    @Test
    void takesNoMailTwiceWhereThoseOfTheFirstLookAreRenumbered() throws Exception {
        String settings = "    label: Watched\n    since: 2026-11-01\n";
        mailServer.newFolder("Watched");
        deliverThree();
        try (MailWatchFixture scene = MailWatchFixture.at(home, mailServer.port(), MailWatchFixture.PRESET, settings)
                .watch()) {
            assertThat(scene.accepted(3)).containsExactly("first", "second", "same second");
        }
        mailServer.recreateFolder("Watched");
        deliverThree();
        try (MailWatchFixture scene = MailWatchFixture.at(home, mailServer.port(), MailWatchFixture.PRESET, settings)
                .watch()) {
            mailServer.deliver("Watched", "later", "later@example.org", Instant.parse("2026-11-20T10:00:01Z"));

            assertThat(scene.accepted(4)).containsExactly("first", "second", "same second", "later");
            assertThat(scene.watcher.metrics().repeated()).isZero();
        }
    }

    @Test
    void passesOverWhatItsMappingHasNothingToDoWith() throws Exception {
        Files.createDirectories(home.resolve("hooks/transforms"));
        Files.writeString(
                home.resolve("hooks/transforms/choose.js"),
                """
                export default ({payload}) => {
                  const subject = payload.messages[0].subject
                  if (subject === 'broken') throw new Error('no')
                  return subject === 'dull' ? null : undefined
                }
                """);
        String mappings =
                """
                  mappings:
                    - match: {path: gmail}
                      messageTemplate: "Subject: {{payload.messages[0].subject}}"
                      agentId: "<#if payload.messages[0].subject == 'forbidden'>nobody</#if>"
                      transform: {module: choose.js}
                  allowedAgentIds: []
                """;
        try (MailWatchFixture scene =
                MailWatchFixture.at(home, mailServer.port(), mappings, "").watch()) {
            mailServer.deliver("dull");
            mailServer.deliver("broken");
            mailServer.deliver("forbidden");
            mailServer.deliver("good");

            assertThat(scene.accepted(1)).containsExactly("good");
            scene.hasHandled(1);
            MailMetrics figures = scene.watcher.metrics();
            assertThat(figures.skipped(MailSkipReason.NOTHING)).isEqualTo(1);
            assertThat(figures.skipped(MailSkipReason.SCRIPT)).isEqualTo(1);
            assertThat(figures.skipped(MailSkipReason.REFUSED)).isEqualTo(1);
            assertThat(scene.logged)
                    .allSatisfy(entry -> {
                        assertThat(entry.client()).isEqualTo(GreenMailServer.ACCOUNT);
                        assertThat(entry.credential()).isEqualTo("mail");
                    })
                    .extracting(RequestLogEntry::status, RequestLogEntry::code)
                    .containsExactly(
                            tuple(204, "nothing"), tuple(500, "mapping_failed"), tuple(400, "agent_not_allowed"));
            assertThat(figures.check()).isInstanceOfSatisfying(HealthCheck.Up.class, up -> assertThat(up.how())
                    .contains(
                            "mails handled: 1", "skipped: 3, the last since what its mapping makes of it is refused"));
        }
    }

    @Test
    void skipsNoMailWhileItsScriptIsSwitchedOff() throws Exception {
        Files.createDirectories(home.resolve("hooks/transforms"));
        Files.writeString(
                home.resolve("hooks/transforms/loop.js"),
                "export default ({payload}) => { while (payload.messages[0].subject === 'endless') {} }");
        String mappings =
                """
                  mappings:
                    - match: {path: gmail}
                      messageTemplate: "Subject: {{payload.messages[0].subject}}"
                      transform: {module: loop.js}
                """;
        try (MailWatchFixture scene =
                MailWatchFixture.at(home, mailServer.port(), mappings, "").watch()) {
            for (int i = 0; i < 6; i++) {
                mailServer.deliver("endless");
            }
            mailServer.deliver("good");
            mailServer.deliver("better");
            soon().until(() -> scene.logged.stream().anyMatch(entry -> entry.status() == 503));
            assertThat(scene.watcher.metrics().skipped(MailSkipReason.SCRIPT)).isEqualTo(5);
            assertThat(scene.accepted()).isEmpty();

            scene.scriptsAhead = Duration.ofMinutes(1);
            scene.ingress.submit(push(GreenMailServer.ACCOUNT));

            assertThat(scene.accepted(2)).containsExactly("good", "better");
            assertThat(scene.watcher.metrics().skipped(MailSkipReason.SCRIPT)).isEqualTo(6);
        }
    }

    @Test
    void waitsWhileTooMuchIsPending() throws Exception {
        try (MailWatchFixture scene = MailWatchFixture.at(
                        home, mailServer.port(), MailWatchFixture.PRESET + "  maxPending: 1\n", "")
                .watch()) {
            mailServer.deliver("one");
            mailServer.deliver("two");
            assertThat(scene.accepted(1)).containsExactly("one");

            // The watcher tries again only after Retry-After or a signal, for which a test has no time.
            scene.store.writeAndWait(sql -> sql.update("UPDATE run SET finished_at = 1, state = 'succeeded'"));
            assertThat(scene.accepted()).containsExactly("one");
        }
        try (MailWatchFixture scene =
                MailWatchFixture.at(home, mailServer.port()).watch()) {
            assertThat(scene.accepted(2)).containsExactly("one", "two");
        }
    }

    @Test
    void marksWhatWasHandledAsRead() throws Exception {
        try (MailWatchFixture scene = MailWatchFixture.at(
                        home, mailServer.port(), MailWatchFixture.PRESET, "    afterwards: read\n")
                .watch()) {
            mailServer.deliver("one");
            scene.accepted(1);

            soon().until(() -> mailServer.mails("INBOX").get(0).isSet(Flags.Flag.SEEN));
        }
    }

    @Test
    void isImpairedWhileTheFolderForHandledMailsIsNotThere() throws Exception {
        try (MailWatchFixture scene = MailWatchFixture.at(
                        home, mailServer.port(), MailWatchFixture.PRESET, "    afterwards: move to Done\n")
                .watch()) {
            mailServer.deliver("One");
            soon().until(() -> scene.watcher.metrics().check() instanceof HealthCheck.Impaired impaired
                    && impaired.reason()
                            .contains("handled mails are not moved, since the folder for them is not there"));
            assertThat(scene.accepted(1)).containsExactly("One");

            mailServer.newFolder("Done");
            mailServer.deliver("Two");
            soon().until(() -> scene.watcher.metrics().check() instanceof HealthCheck.Up);
            assertThat(mailServer.mails("Done")).hasSize(1);
        }
    }

    @Test
    void movesWhatWasHandled() throws Exception {
        mailServer.newFolder("Done");
        try (MailWatchFixture scene = MailWatchFixture.at(
                        home, mailServer.port(), MailWatchFixture.PRESET, "    afterwards: move to Done\n")
                .watch()) {
            mailServer.deliver("one");
            mailServer.deliver("two");
            scene.accepted(2);

            soon().until(() -> mailServer.mails("Done").size() == 2);
            assertThat(mailServer.mails("INBOX")).isEmpty();
            mailServer.deliver("three");
            assertThat(scene.accepted(3)).containsExactly("one", "two", "three");
        }
    }

    @Test
    void doesAfterARestartWhatItOwesToAMail() throws Exception {
        try (MailWatchFixture scene = MailWatchFixture.at(
                        home, mailServer.port(), MailWatchFixture.PRESET, "    afterwards: move to Done\n")
                .watch()) {
            mailServer.deliver("one");
            scene.accepted(1);
            scene.hasHandled(1);
        }
        assertThat(mailServer.mails("INBOX")).hasSize(1);
        try (MailWatchFixture scene = MailWatchFixture.at(
                        home, mailServer.port(), MailWatchFixture.PRESET, "    afterwards: flag\n")
                .watch()) {
            mailServer.deliver("two");

            assertThat(scene.accepted(2)).containsExactly("one", "two");
            soon().until(() -> mailServer.mails("INBOX").get(1).isSet(Flags.Flag.FLAGGED));
            assertThat(mailServer.mails("INBOX").get(0).isSet(Flags.Flag.FLAGGED))
                    .isFalse();
        }
    }

    @Test
    void looksAtOnceWhenGmailSaysThatThereIsSomething() throws Exception {
        try (MailWatchFixture scene =
                MailWatchFixture.at(home, mailServer.port()).watch()) {
            assertThat(scene.ingress.submit(push(GreenMailServer.ACCOUNT))).isInstanceOf(HookResult.Nothing.class);
            assertThat(scene.ingress.submit(push("somebody@example.com"))).isInstanceOf(HookResult.Accepted.class);
        }
    }

    @Test
    void readsTheNamesOfGmailsLabels() throws Exception {
        String mappings =
                """
                  mappings:
                    - match: {path: gmail}
                      messageTemplate: "Subject: ${payload.messages[0].labels?join(', ')}"
                """;
        try (BreakableProxy gmail = new BreakableProxy(mailServer.port());
                MailWatchFixture scene = MailWatchFixture.at(home, gmail.port(), mappings, "")) {
            gmail.answer(command -> {
                if (command.equals("CAPABILITY")) {
                    return Optional.of("* CAPABILITY IMAP4rev1 X-GM-EXT-1\r\nTAG OK done");
                }
                if (!command.contains("X-GM-")) {
                    return Optional.empty();
                }
                return Optional.of(
                        command.contains("ENVELOPE")
                                ? "TAG NO one at a time"
                                : "* 1 FETCH (X-GM-MSGID 7 X-GM-THRID 7 X-GM-LABELS (\"\\\\Important\" \"B&APw-ro\" \"R&-D\"))"
                                        + "\r\nTAG OK done");
            });
            scene.watch();
            mailServer.deliver("labelled");

            assertThat(scene.accepted(1)).containsExactly("INBOX, \\Important, Büro, R&D");
        }
    }

    @Test
    void noticesAConnectionThatIsDead() throws Exception {
        try (BreakableProxy breakableProxy = new BreakableProxy(mailServer.port());
                MailWatchFixture scene =
                        MailWatchFixture.at(home, breakableProxy.port()).watch()) {
            mailServer.deliver("before");
            scene.accepted(1);

            breakableProxy.freeze();
            long frozen = System.nanoTime();
            mailServer.deliver("after");

            assertThat(scene.accepted(2)).containsExactly("before", "after");
            assertThat(Duration.ofNanos(System.nanoTime() - frozen))
                    .as("the socket's time-out is three seconds, and passes twice")
                    .isLessThan(Duration.ofSeconds(20));
            assertThat(scene.watcher.metrics().connections()).isGreaterThan(1);
        }
    }

    @Test
    void goesOnAfterConnectionsThatBreak() throws Exception {
        try (BreakableProxy breakableProxy = new BreakableProxy(mailServer.port());
                MailWatchFixture scene =
                        MailWatchFixture.at(home, breakableProxy.port()).watch()) {
            List<String> subjects =
                    IntStream.range(0, 40).mapToObj(i -> "mail " + i).toList();
            for (String subject : subjects) {
                mailServer.deliver(subject);
                if (subject.endsWith("7")) {
                    breakableProxy.cut();
                }
            }

            assertThat(scene.accepted(40)).isEqualTo(subjects);
            scene.hasHandled(40);
        }
    }

    @Test
    void opensTheFolderAnewAfterMany() throws Exception {
        List<String> subjects =
                IntStream.range(0, 70).mapToObj(i -> "mail " + i).toList();
        for (int i = 0; i < 45; i++) {
            mailServer.deliver(subjects.get(i));
        }
        String since = "    since: 2026-11-01\n";
        try (MailWatchFixture scene = MailWatchFixture.at(home, mailServer.port(), MailWatchFixture.PRESET, since)
                .watch()) {
            for (int i = 45; i < 70; i++) {
                mailServer.deliver(subjects.get(i));
            }

            assertThat(scene.accepted(70)).isEqualTo(subjects);
            scene.hasHandled(70);
            assertThat(scene.watcher.metrics().connections()).isGreaterThan(1);
        }
    }

    @Test
    void endsAtOnceThoughTheServerIsDead() throws Exception {
        try (BreakableProxy breakableProxy = new BreakableProxy(mailServer.port())) {
            MailWatchFixture scene =
                    MailWatchFixture.at(home, breakableProxy.port()).watch();
            breakableProxy.freeze();

            scene.close();

            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(
                            thread -> List.of(thread.getStackTrace()).toString().contains("mail.Watcher.live"));
        }
    }

    @Test
    void endsAtOnce() throws Exception {
        MailWatchFixture scene = MailWatchFixture.at(home, mailServer.port()).watch();

        long start = System.nanoTime();
        scene.watcher.stop();

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
        scene.close();
    }

    private void deliverThree() throws Exception {
        Instant second = Instant.parse("2026-11-20T10:00:00Z");
        mailServer.deliver("Watched", "first", "first@example.org", second.minusSeconds(1));
        mailServer.deliver("Watched", "second", "second@example.org", second);
        mailServer.deliver("Watched", "same second", "same-second@example.org", second);
    }

    private static HookRequest push(String address) {
        String data = Base64.getEncoder()
                .encodeToString(("{\"emailAddress\":\"" + address + "\",\"historyId\":9876543210}")
                        .getBytes(StandardCharsets.UTF_8));
        String body = "{\"message\":{\"data\":\"" + data + "\",\"messageId\":\"1\"},\"subscription\":\"s\"}";
        return HookRequest.bare("gmail", body.getBytes(StandardCharsets.UTF_8), null, Instant.EPOCH);
    }
}
