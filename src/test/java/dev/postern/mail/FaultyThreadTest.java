package dev.postern.mail;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of the watcher with a pool whose threads fail, or that has none. */
class FaultyThreadTest {

    @TempDir
    Path home;

    private final List<LogRecord> errors = new CopyOnWriteArrayList<>();
    private final Logger logger = Logger.getLogger(MailWatcher.class.getName());
    private GreenMailServer mailServer;
    private MailWatchFixture scene;

    @BeforeEach
    void open() throws Exception {
        logger.setFilter(logged -> !logged.getLevel().equals(Level.SEVERE) || errors.add(logged));
        mailServer = new GreenMailServer();
        scene = MailWatchFixture.at(home, mailServer.port());
    }

    @AfterEach
    void close() {
        scene.close();
        mailServer.close();
        logger.setFilter(null);
    }

    static Stream<Executor> failing() {
        return Stream.of(
                attempt -> {
                    throw new OutOfMemoryError("unable to create native thread");
                },
                attempt -> {
                    throw new IllegalStateException("no thread");
                });
    }

    @ParameterizedTest
    @MethodSource("failing")
    void triesAgainWhereThePoolFails(Executor failing) throws Exception {
        watchesAfterTwoAttemptsOn(failing);

        assertThat(errors).hasSize(1);
    }

    @Test
    void triesAgainWhereItCanNotReleaseTheReader() throws Exception {
        // The thread that commits can't wait for a commit.
        watchesAfterTwoAttemptsOn(attempt -> {
            var unused = scene.store.write(sql -> {
                attempt.run();
                return true;
            });
        });

        assertThat(errors).hasSize(4);
    }

    @Test
    void triesAgainWhereAThreadRefusesItsClassLoader() throws Exception {
        watchesAfterTwoAttemptsOn(attempt -> {
            Thread thread = new Thread(attempt, "refuses") {
                @Override
                public void setContextClassLoader(ClassLoader loader) {
                    throw new SecurityException("no other class loader");
                }
            };
            thread.start();
        });

        assertThat(errors).hasSize(4);
    }

    private void watchesAfterTwoAttemptsOn(Executor faulty) throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        scene.executor = attempt -> (attempts.incrementAndGet() <= 2 ? faulty : scene.threads).execute(attempt);
        scene.watch();
        mailServer.deliver("after all");

        assertThat(scene.accepted(1)).containsExactly("after all");
    }
}
