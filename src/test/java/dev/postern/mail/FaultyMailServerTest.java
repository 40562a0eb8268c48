package dev.postern.mail;

import static dev.postern.mail.GreenMailServer.soon;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
}
