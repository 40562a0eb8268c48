package dev.postern.mail;

import static dev.postern.mail.GreenMailServer.soon;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.observe.HealthCheck;
import dev.postern.store.TestDatabases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
                MailWatchFixture one = node("one", shared, office).watch();
                MailWatchFixture two = node("two", shared, office)) {
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

    private MailWatchFixture node(String name, TestDatabases.Opener shared, GreenMailServer office) throws Exception {
        Path own = Files.createDirectories(home.resolve(name));
        return MailWatchFixture.on(shared, own, name, office.port(), MailWatchFixture.PRESET, "");
    }

    private static String stands(MailWatchFixture scene) {
        return scene.watcher.metrics().check() instanceof HealthCheck.Up up ? up.how() : "";
    }
}
