package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of replies that go back as mails, with Debian's mail servers: to whom, in what form, and to whom not. */
@Tag("long")
class MailReplyIT {

    private static final Duration LONGEST = Duration.ofSeconds(90);
    private static final String ANN = "ann@example.com";
    private static final String EVE = "eve@example.com";
    private static final String ADA = Dovecot.ACCOUNT;
    private static final String BOB = "bob@example.com";
    private static final String OTHERS = "postern_skipped_requests_total{reason=\"other_postern\"}";
    private static final String WARNING = "receives what another Postern has written";

    private static Path directory;
    private static CertificateMaker certificates;
    private static Path authority;

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    private Dovecot dovecot;
    private Exim exim;

    @BeforeAll
    static void makeAuthority() throws Exception {
        directory = Dovecot.newDirectory();
        certificates = new CertificateMaker(directory);
        authority = certificates.authority();
    }

    @AfterAll
    static void delete() throws IOException {
        Dovecot.delete(directory);
    }

    @BeforeEach
    void startServers() throws Exception {
        CertificateMaker.SignedCertificate certificate = certificates.sign("localhost", "2020/02/01", 20_000);
        dovecot = new Dovecot(Files.createTempDirectory(directory, "dovecot-"), certificate);
        exim = new Exim(
                Files.createTempDirectory(directory, "exim-"),
                certificate,
                dovecot,
                List.of("ann", "eve", "ada", "bob"));
    }

    @AfterEach
    void stopServers() throws IOException {
        if (exim != null) {
            exim.close();
        }
        if (dovecot != null) {
            dovecot.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tls", "starttls"})
    void answersInTheThread(String security) throws Exception {
        HomeFixture home = home(ADA, security);
        assertThat(home.run("check", "--online", "--home", home.directory().toString())
                        .out())
                .contains("ok: channels.mail");
        MailRuns.awaitWatched(home.start());
        String id = TestMail.newId();

        exim.send(
                ANN,
                ADA,
                "From: Ann <" + ANN + ">\nTo: " + ADA + "\nSubject: Der Build ist rot\nMessage-ID: " + id
                        + "\nReferences: <1@it.example> <2@it.example>\nIn-Reply-To: <2@it.example>\n"
                        + "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\nIst er **schön** rot?\n");

        MimeMessage answer = awaitMails(ANN, 1).get(0);
        assertThat(answer.getHeader("From")).containsExactly(ADA);
        assertThat(answer.getHeader("To")).containsExactly(ANN);
        assertThat(answer.getHeader("Subject")).containsExactly("Re: Der Build ist rot");
        assertThat(answer.getHeader("In-Reply-To")).containsExactly(id);
        assertThat(answer.getHeader("References", " ").split("\\s+"))
                .containsExactly("<1@it.example>", "<2@it.example>", id);
        assertThat(answer.getHeader("Auto-Submitted")).containsExactly("auto-replied");
        assertThat(answer.getHeader("Return-path")).containsExactly("<" + ADA + ">");
        MimeMultipart content = (MimeMultipart) answer.getContent();
        assertThat(content.getContentType()).startsWith("multipart/alternative");
        assertThat(content.getCount()).isEqualTo(2);
        assertThat(content.getBodyPart(0).getContentType()).startsWith("text/plain");
        assertThat((String) content.getBodyPart(0).getContent()).contains("Ist er **schön** rot?");
        assertThat(content.getBodyPart(1).getContentType()).startsWith("text/html");
        assertThat((String) content.getBodyPart(1).getContent()).contains("Ist er <strong>schön</strong> rot?");
        assertThat(exim.sent(ADA)).isEqualTo(1);
    }

    @Test
    void answersNoProgramAndNoStranger() throws Exception {
        HomeFixture home = home(ADA, "starttls");
        PosternProcess postern = home.start();
        MailRuns.awaitWatched(postern);

        exim.send(EVE, ADA, mail(EVE, "stranger", ""));
        exim.send(ANN, ADA, mail(ANN, "to a stranger", "Reply-To: " + EVE + "\n"));
        exim.send(ANN, ADA, mail(ANN, "vacation", "Auto-Submitted: auto-replied\n"));
        exim.send(ANN, ADA, mail(ANN, "list", "List-Id: <builds.example.com>\n"));
        exim.send(ANN, ADA, mail(ANN, "bulk", "Precedence: bulk\n"));
        exim.send("<>", ADA, mail(ANN, "without a sender", ""));
        exim.send(ADA, "gone@example.com", mail(ADA, "for nobody", ""));

        try (HomeDatabase database = home.database()) {
            MailRuns runs = new MailRuns(database);
            runs.await(7, LONGEST);
            assertThat(runs.subjects())
                    .containsExactlyInAnyOrder(
                            "stranger",
                            "to a stranger",
                            "vacation",
                            "list",
                            "bulk",
                            "without a sender",
                            "Mail delivery failed: returning message to sender");
            exim.send(ANN, ADA, mail(ANN, "question", ""));

            assertThat(awaitMails(ANN, 1).get(0).getSubject()).isEqualTo("Re: question");
            database.awaitIdle(LONGEST);
            assertThat(database.column("SELECT state FROM delivery")).containsExactly("delivered");
        }
        assertThat(exim.sent(ADA)).isEqualTo(1);
        assertThat(dovecot.mails(EVE)).isEmpty();
    }

    @Test
    void answersOnceAndThenNoneOfTheAnswers() throws Exception {
        HomeFixture homeA = home(ADA, "tls");
        HomeFixture homeB = home(BOB, "starttls");
        PosternProcess a = homeA.start();
        PosternProcess b = homeB.start();
        MailRuns.awaitWatched(a);
        MailRuns.awaitWatched(b);

        for (int i = 1; i <= 2; i++) {
            int round = i;
            exim.send(ANN, ADA, mail(ANN, "to A, " + round, "Reply-To: " + BOB + "\n"));
            exim.send(ANN, BOB, mail(ANN, "to B, " + round, "Reply-To: " + ADA + "\n"));
            await().atMost(LONGEST)
                    .until(() -> MailRuns.metric(a, OTHERS) == round && MailRuns.metric(b, OTHERS) == round);
        }

        for (HomeFixture home : List.of(homeA, homeB)) {
            try (HomeDatabase database = home.database()) {
                database.awaitIdle(LONGEST);
                assertThat(new MailRuns(database).subjects()).hasSize(2);
            }
        }
        assertThat(exim.sent(ADA)).isEqualTo(2);
        assertThat(exim.sent(BOB)).isEqualTo(2);
        assertThat(dovecot.mails(ADA)).hasSize(4);
        assertThat(dovecot.mails(BOB)).hasSize(4);
        for (PosternProcess postern : List.of(a, b)) {
            assertThat(postern.log()).containsOnlyOnce(WARNING);
        }
        assertThat(overview(a, homeA)).contains("Another Postern writes where the mapping gmail");
        assertThat(overview(b, homeB)).contains("2 events asked for nothing since");
    }

    /** A home that watches the mailbox of {@code account}, and answers Ann and the two accounts with the same login. */
    private HomeFixture home(String account, String security) throws IOException {
        boolean starttls = security.equals("starttls");
        String server = "host: localhost, port: %d, security: " + security + ", caFile: '" + authority + "', account: "
                + account;
        return homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks(
                                "presets: [gmail]",
                                "presetReplyTo: {gmail: source}",
                                "gmail: {" + server.formatted(starttls ? dovecot.plainPort() : dovecot.tlsPort())
                                        + ", password: " + Dovecot.PASSWORD + "}"),
                        "channels: {mail: {" + server.formatted(starttls ? exim.plainPort() : exim.tlsPort())
                                + ", allow: [" + String.join(", ", ANN, ADA, BOB) + "]}}\n");
    }

    private List<MimeMessage> awaitMails(String account, int count) throws MessagingException {
        await("mails of " + account)
                .atMost(LONGEST)
                .until(() -> dovecot.mails(account).size() >= count);
        List<MimeMessage> mails = dovecot.mails(account);
        assertThat(mails).hasSize(count);
        return mails;
    }

    private static String mail(String from, String subject, String headers) {
        return "From: " + from + "\nSubject: " + subject + "\nMessage-ID: " + TestMail.newId() + "\n" + headers
                + "\nHello.\n";
    }

    private static String overview(PosternProcess postern, HomeFixture home) throws Exception {
        return postern.sender()
                .withToken(null)
                .get("/console/api/overview", List.of("Authorization", home.operator()))
                .body();
    }
}
