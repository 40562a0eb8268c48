package dev.postern.mail;

import static dev.postern.mail.GreenMailServer.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.net.HttpConnections;
import jakarta.mail.MessagingException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the watcher with a server that does not do what it is asked. */
class FaultyMailServerTest {

    @TempDir
    Path home;

    private GreenMailServer mailServer;
    private BreakableProxy proxy;
    private final List<String> commands = new CopyOnWriteArrayList<>();

    @BeforeEach
    void open() throws Exception {
        mailServer = new GreenMailServer();
        proxy = new BreakableProxy(mailServer.port());
    }

    @AfterEach
    void close() throws Exception {
        proxy.close();
        mailServer.close();
    }

    @Test
    void countsNoMailAsUnreadableBecauseConnectionsBreak() throws Exception {
        AtomicInteger breaks = new AtomicInteger();
        proxy.answer(command -> {
            if (asksForSecond(command) && breaks.incrementAndGet() < 9) {
                proxy.cut();
            }
            return Optional.empty();
        });
        try (MailWatchFixture scene = watchThree()) {
            assertThat(scene.accepted(3)).containsExactly("first", "second", "third");
            assertThat(scene.watcher.metrics().skipped(MailSkipReason.UNREADABLE))
                    .isZero();
            assertThat(scene.watcher.metrics().connections()).isEqualTo(9);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TAG NO [SERVERBUG] Internal error occurred",
                "* 2 FETCH (UID 2 BODYSTRUCTURE ( ENVELOPE (NIL)\r\nTAG OK done",
                "* 2 FETCH (UID 2)\r\nTAG OK done"
            })
    void skipsAMailThatTheServerCanNotGive(String response) throws Exception {
        proxy.answer(command -> asksForSecond(command) ? Optional.of(response) : Optional.empty());
        try (MailWatchFixture scene = watchThree()) {
            assertThat(scene.accepted(2)).containsExactly("first", "third");
            assertThat(scene.watcher.metrics().skipped(MailSkipReason.UNREADABLE))
                    .isEqualTo(1);
            assertThat(scene.watcher.metrics().connections()).isEqualTo(1);
        }
    }

    @Test
    void doesNotSkipOneMailAfterTheOtherWhereTheServerGivesNone() throws Exception {
        AtomicInteger attemptsAtSecond = new AtomicInteger();
        proxy.answer(command -> {
            boolean asks = command.matches("FETCH [1-3:]+ (?!\\(UID\\)).*") && attemptsAtSecond.get() < 9;
            attemptsAtSecond.addAndGet(asks && command.startsWith("FETCH 2 ") ? 1 : 0);
            return asks ? Optional.of("TAG NO [SERVERBUG] Internal error occurred") : Optional.empty();
        });
        try (MailWatchFixture scene = watchThree()) {
            assertThat(scene.accepted(2)).containsExactly("second", "third");
            assertThat(scene.watcher.metrics().skipped(MailSkipReason.UNREADABLE))
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TAG NO [SERVERBUG] Internal error occurred",
                "* 2 FETCH (UID 2 BODYSTRUCTURE ( ENVELOPE (NIL)\r\nTAG OK done",
                "* 2 FETCH (UID 2)\r\nTAG OK done"
            })
    void showsTheOthersWhereTheServerCanNotGiveOne(String response) throws Exception {
        deliverThree();
        proxy.answer(command -> asksForSecond(command) ? Optional.of(response) : Optional.empty());
        List<Mailbox.NewestMail> newest = newest();

        assertThat(newest).extracting(Mailbox.NewestMail::uid).containsExactly(1L, 2L, 3L);
        assertThat(newest)
                .extracting(
                        mail -> mail.payload() == null ? null : mail.payload().id())
                .containsExactly("mail-0@example.org", null, "mail-2@example.org");
    }

    @Test
    void saysThatTheConnectionWasLostWhereItBreaksAtAMail() throws Exception {
        deliverThree();
        proxy.answer(command -> {
            if (asksForSecond(command)) {
                proxy.cut();
            }
            return Optional.empty();
        });

        assertThatThrownBy(this::newest).isInstanceOfSatisfying(MailException.class, lost -> assertThat(lost.kind())
                .isEqualTo(MailException.Kind.LOST));
    }

    @Test
    void readsAMailAgainWhoseTextIsUnavailable() throws Exception {
        AtomicInteger refusals = new AtomicInteger();
        proxy.answer(command -> asksForTextOfSecond(command) && refusals.incrementAndGet() < 9
                ? Optional.of("TAG NO [UNAVAILABLE] Try again later")
                : Optional.empty());
        try (MailWatchFixture scene = watchThree()) {
            assertThat(scene.accepted(3)).containsExactly("first", "second", "third");
            assertThat(messages(scene)).allMatch(message -> message.contains("The text of "));
            assertThat(scene.watcher.metrics().connections()).isEqualTo(1);
        }
    }

    @Test
    void takesAMailWithoutItsTextAfterFiveAttempts() throws Exception {
        AtomicInteger refusals = new AtomicInteger();
        List<LogRecord> warnings = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger(FolderReader.class.getName());
        logger.setFilter(logged -> !logged.getLevel().equals(Level.WARNING) || warnings.add(logged));
        proxy.answer(command -> {
            boolean refused = asksForTextOfSecond(command);
            refusals.addAndGet(refused ? 1 : 0);
            return refused ? Optional.of("TAG NO [UNAVAILABLE] Try again later") : Optional.empty();
        });
        try (MailWatchFixture scene = watchThree()) {
            assertThat(scene.accepted(3)).containsExactly("first", "second", "third");
            assertThat(messages(scene))
                    .filteredOn(message -> message.contains("The text of "))
                    .hasSize(2);
            assertThat(refusals).hasValue(10);
            assertThat(warnings).singleElement().satisfies(logged -> assertThat(new SimpleFormatter().format(logged))
                    .contains("Reading mail with UID 2 without its text")
                    .doesNotContain("second"));
        } finally {
            logger.setFilter(null);
        }
    }

    @Test
    void doesNotIdleWhereEachResponseAnnouncesMails() throws Exception {
        proxy.answer(command -> {
            commands.add(command);
            return switch (command.replaceAll("(?<!^UID) .*", "")) {
                case "NOOP", "UID FETCH" -> Optional.of("* 0 EXISTS\r\nTAG OK done");
                case "IDLE" -> Optional.of("* 0 EXISTS\r\n+ idling");
                case "DONE" -> Optional.of("TAG OK done");
                default -> Optional.empty();
            };
        });
        try (MailWatchFixture scene = MailWatchFixture.at(home, proxy.port()).watch()) {
            long start = System.nanoTime();
            soon().until(() -> commands.size() > 50);

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofSeconds(1));
            assertThat(commands).doesNotContain("IDLE");
            assertThat(scene.watcher.metrics().connections()).isEqualTo(1);
        }
    }

    @Test
    void pausesWhereEachIdleAnnouncesMails() throws Exception {
        proxy.answer(command -> {
            commands.add(command);
            return switch (command) {
                case "IDLE" -> Optional.of("* 0 EXISTS\r\n+ idling");
                case "DONE" -> Optional.of("TAG OK done");
                default -> Optional.empty();
            };
        });
        try (MailWatchFixture scene = MailWatchFixture.at(home, proxy.port()).watch()) {
            long start = System.nanoTime();
            soon().until(() -> commands.stream().filter("IDLE"::equals).count() > 30);

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(800));
            mailServer.deliver("new");
            assertThat(scene.accepted(1)).containsExactly("new");
        }
    }

    @Test
    void pausesWhereTheServerEndsEachIdle() throws Exception {
        proxy.answer(command -> {
            commands.add(command);
            return command.equals("IDLE") ? Optional.of("+ idling\r\nTAG OK done") : Optional.empty();
        });
        try (MailWatchFixture scene = MailWatchFixture.at(home, proxy.port())) {
            long start = System.nanoTime();
            scene.watch();
            soon().until(() -> commands.stream().filter("IDLE"::equals).count() > 20);

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(1_800));
            mailServer.deliver("new");
            assertThat(scene.accepted(1)).containsExactly("new");
            assertThat(scene.watcher.metrics().connections()).isEqualTo(1);
        }
    }

    @Test
    void takesAtOnceWhatIsAnnouncedBeforeTheServerEndsAnIdle() throws Exception {
        AtomicInteger idles = new AtomicInteger();
        proxy.answer(command -> {
            if (!command.equals("IDLE")) {
                return command.equals("DONE") ? Optional.of("* BAD no command") : Optional.empty();
            }
            if (idles.incrementAndGet() > 1) {
                return Optional.of("+ idling\r\nTAG OK done");
            }
            deliver("new");
            return Optional.of("+ idling\r\n* 1 EXISTS\r\nTAG OK done");
        });
        try (MailWatchFixture scene = MailWatchFixture.at(
                        home, proxy.port(), MailWatchFixture.PRESET, "", MailWatchFixture.polling(Duration.ofHours(1)))
                .watch()) {
            assertThat(scene.accepted(1)).containsExactly("new");
        }
    }

    private List<Mailbox.NewestMail> newest() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (HttpConnections connections = new HttpConnections(threads);
                Mailbox mailbox = Mailbox.open(
                        MailWatchFixture.mailbox(home, proxy.port()), connections, InstantSource.system())) {
            return mailbox.newest(3, to -> false);
        } finally {
            threads.shutdownNow();
        }
    }

    private void deliver(String subject) {
        try {
            mailServer.deliver(subject);
        } catch (MessagingException e) {
            throw new IllegalStateException(e);
        }
    }

    private void deliverThree() throws Exception {
        for (String subject : List.of("first", "second", "third")) {
            mailServer.deliver(subject);
        }
    }

    private MailWatchFixture watchThree() throws Exception {
        deliverThree();
        return MailWatchFixture.at(home, proxy.port(), MailWatchFixture.PRESET, "    since: 2026-11-01\n")
                .watch();
    }

    private static List<String> messages(MailWatchFixture scene) throws Exception {
        return scene.store.read(sql -> sql.query("SELECT message FROM run", row -> row.text("message")));
    }

    private static boolean asksForTextOfSecond(String command) {
        return command.matches("FETCH 2 .*BODY\\.PEEK\\[(TEXT)?\\].*");
    }

    /** Whether {@code command} asks for data of the second mail, alone or among others. */
    private static boolean asksForSecond(String command) {
        return command.matches("FETCH (2|[12]:3) (?!\\(UID\\)).*");
    }
}
