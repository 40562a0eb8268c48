package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.it.ProofReport;
import jakarta.mail.MessagingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test of the mail watch of a mailbox that has many mails from before, with a heap of 256 MiB.
 * {@code -Dit.flood.mails=100000} is the long one.
 */
@Tag("long")
@Tag("flood")
@Timeout(600)
class LargeMailboxIT {

    private static final int MAILS = Integer.getInteger("it.flood.mails", 1_000);
    private static final int NEW_MAILS = 4;
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Duration LONGEST_CONNECT = TimeBound.of(Duration.ofSeconds(10));
    private static final Duration LONGEST_READ = TimeBound.of(Duration.ofSeconds(5));

    private static Path directory;

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    private final List<String> delivered = new ArrayList<>();

    @BeforeAll
    static void makeDirectory() throws IOException {
        directory = Dovecot.newDirectory();
    }

    @AfterAll
    static void delete() throws IOException {
        Dovecot.delete(directory);
    }

    @Test
    void readsEachNewMailOnceAndNoneOfTheManyOldOnes() throws Exception {
        CertificateMaker certificates = new CertificateMaker(directory);
        try (Dovecot server = new Dovecot(
                Files.createTempDirectory(directory, "server-"),
                certificates.sign("localhost", "2020/02/01", 20_000))) {
            server.fill(MAILS);
            assertThat(server.count("INBOX")).isEqualTo(MAILS);
            HomeFixture home = homeFixtureExtension
                    .newHome()
                    .settings(HomeFixture.hooks(
                            "presets: [gmail]",
                            "gmail: {account: %s, host: localhost, port: %d, caFile: '%s', password: %s}"
                                    .formatted(
                                            Dovecot.ACCOUNT,
                                            server.tlsPort(),
                                            certificates.authority(),
                                            Dovecot.PASSWORD)))
                    .environment("JDK_JAVA_OPTIONS", "-Xmx256m");
            PosternProcess postern = home.start();
            Duration connected = timeOf(() -> MailRuns.awaitWatched(postern));
            try (HomeDatabase database = home.database()) {
                MailRuns runs = new MailRuns(database);
                deliver(server);
                Duration read = timeOf(() -> runs.await(delivered.size(), LONGEST));
                long heap = LiveHeap.bytes(postern);
                postern.kill();
                deliver(server);
                PosternProcess next = home.start();
                Duration readAfterKill = timeOf(() -> runs.await(delivered.size(), LONGEST));
                assertThat(next.stop()).isZero();
                PosternProcess last = home.start();
                MailRuns.awaitWatched(last);
                deliver(server);
                runs.await(delivered.size(), LONGEST);

                assertThat(runs.subjects()).containsExactlyInAnyOrderElementsOf(delivered);
                String figures = String.format(
                        "a mailbox of %d mails: watched %d ms after the start; %d new mails handled %d ms after the last, as many from meanwhile %d ms after a start; %d MiB of heap",
                        MAILS,
                        connected.toMillis(),
                        NEW_MAILS,
                        read.toMillis(),
                        readAfterKill.toMillis(),
                        LiveHeap.mebibytes(heap));
                System.out.println(figures);
                assertThat(connected).as(figures).isLessThan(LONGEST_CONNECT);
                assertThat(read).as(figures).isLessThan(LONGEST_READ);
                assertThat(readAfterKill).as(figures).isLessThan(LONGEST_CONNECT);
                assertThat(postern.log() + next.log() + last.log()).doesNotContain("OutOfMemoryError");
                ProofReport.add("flood", figures);
            }
        }
    }

    private void deliver(Dovecot server) throws MessagingException {
        for (int i = 0; i < NEW_MAILS; i++) {
            String subject = "new " + delivered.size();
            delivered.add(subject);
            server.deliver("From: Bob <bob@example.com>\nTo: " + Dovecot.ACCOUNT + "\nSubject: " + subject
                    + "\nMessage-ID: " + TestMail.newId() + "\n\nHello.\n");
        }
    }

    private static Duration timeOf(Runnable step) {
        long began = System.nanoTime();
        step.run();
        return Duration.ofNanos(System.nanoTime() - began);
    }
}
