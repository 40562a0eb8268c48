package dev.postern.mail;

import static dev.postern.mail.GreenMailServer.soon;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.observe.HealthCheck;
import dev.postern.store.TestDatabases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of two nodes that share one PostgreSQL and watch the same mailbox. */
class TwoWatchersTest {

    @TempDir
    Path home;

    @Test
    void watchOneAtATime() throws Exception {
        TestDatabases.Opener shared = TestDatabases.postgres(home);
        try (GreenMailServer office = new GreenMailServer();
                MailWatchFixture one = node("one", shared, office.port()).watch();
                MailWatchFixture two = node("two", shared, office.port())) {
            two.watcher.start();
            soon().until(() -> stands(two).startsWith("another node watches"));
            office.deliver("for one");
            one.accepted(1);

            // The remaining node does this when it declares the other one dead.
            two.store.writeAndWait(sql -> sql.update("DELETE FROM node WHERE id = 'one'"));
            soon().until(() -> two.watcher.metrics().isWatching());
            List<String> subjects =
                    IntStream.range(0, 20).mapToObj(i -> "for two " + i).toList();
            for (String subject : subjects) {
                office.deliver(subject);
            }

            assertThat(two.accepted(21)).first().isEqualTo("for one");
            assertThat(two.accepted())
                    .filteredOn(subject -> !subject.equals("for one"))
                    .isEqualTo(subjects);
            one.hasHandled(1);
            two.hasHandled(20);
            soon().until(() -> stands(one).startsWith("another node watches"));
        }
    }

    @Test
    void takeTheWatchFromTheOneThatCanNotLogIn() throws Exception {
        TestDatabases.Opener shared = TestDatabases.postgres(home);
        try (GreenMailServer office = new GreenMailServer();
                BreakableProxy proxy = new BreakableProxy(office.port());
                MailWatchFixture one = node("one", shared, proxy.port());
                MailWatchFixture two = node("two", shared, office.port())) {
            AtomicInteger logins = new AtomicInteger();
            proxy.answer(command -> {
                boolean login = command.matches("(?i)(LOGIN|AUTHENTICATE) .*");
                logins.addAndGet(login ? 1 : 0);
                return login ? Optional.of("TAG NO [AUTHENTICATIONFAILED] no") : Optional.empty();
            });
            one.watcher.start();
            soon().until(() -> one.watcher.metrics().check() instanceof HealthCheck.Impaired);

            two.watch();
            office.deliver("for two");

            assertThat(two.accepted(1)).containsExactly("for two");
            two.hasHandled(1);
            soon().until(() -> stands(one).startsWith("another node watches"));
            int before = logins.get();
            office.deliver("for two as well");
            two.hasHandled(2);
            assertThat(logins).hasValue(before);
        }
    }

    @Test
    void pauseAfterEachLoginThatIsRefused() throws Exception {
        TestDatabases.Opener shared = TestDatabases.postgres(home);
        try (GreenMailServer office = new GreenMailServer();
                BreakableProxy proxy = new BreakableProxy(office.port());
                MailWatchFixture one = node("one", shared, proxy.port());
                MailWatchFixture two = node("two", shared, proxy.port())) {
            office.password("another-password");
            AtomicInteger logins = new AtomicInteger();
            proxy.answer(command -> {
                logins.addAndGet(command.matches("(?i)(LOGIN|AUTHENTICATE) .*") ? 1 : 0);
                return Optional.empty();
            });
            long start = System.nanoTime();
            one.watcher.start();
            two.watcher.start();
            soon().until(() -> logins.get() >= 40);

            // Each of the two pauses 100 ms after its fourth login and after all later ones.
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofSeconds(1));
            office.password(GreenMailServer.PASSWORD);
            soon().until(() ->
                    one.watcher.metrics().isWatching() || two.watcher.metrics().isWatching());
        }
    }

    private MailWatchFixture node(String name, TestDatabases.Opener shared, int port) throws Exception {
        Path own = Files.createDirectories(home.resolve(name));
        return MailWatchFixture.on(shared, own, name, port, MailWatchFixture.PRESET, "");
    }

    private static String stands(MailWatchFixture scene) {
        return scene.watcher.metrics().check() instanceof HealthCheck.Up up ? up.how() : "";
    }
}
