package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of the mail watch and its commands with Debian's mail server: certificates, folders, sizes. */
@Tag("long")
class DovecotIT {

    private static final Duration LONGEST = Duration.ofSeconds(90);
    private static final int YEARS = 20_000;
    private static final String UNCHANGED = "Nothing was changed.";

    private static Path directory;
    private static CertificateMaker certificates;
    private static Path authority;

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    private Dovecot server;

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

    @AfterEach
    void stopServer() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tls", "starttls"})
    void saysWhenTheCertificateExpired(String security) throws Exception {
        start("localhost", "2020/02/01", 30);
        String expired =
                "the certificate of localhost:" + port(security) + " expired on 2020-03-02 (it is for localhost)";

        PosternProcess setup = setup(homeFixtureExtension.newHome(), security, "--ca-file", authority.toString());
        assertThat(setup.awaitExit()).isEqualTo(1);
        assertThat(setup.log()).contains(expired, UNCHANGED).doesNotContain("not trusted", "Exception");

        HomeFixture home = watched(security, "");
        assertThat(check(home).out()).contains("problem: hooks.gmail: " + expired);
        assertThat(home.run("mail", "test", "--home", home.directory().toString())
                        .log())
                .contains(expired);
        PosternProcess postern = home.start();
        await().atMost(LONGEST).until(() -> postern.log().contains("The mailbox is not watched: " + expired));
        assertThat(MailRuns.health(postern)).contains("the mail server's certificate is not accepted");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tls", "starttls"})
    void saysWhichHostTheCertificateIsFor(String security) throws Exception {
        start("mail.other.test", "2020/02/01", YEARS);

        PosternProcess setup = setup(homeFixtureExtension.newHome(), security, "--ca-file", authority.toString());

        assertThat(setup.awaitExit()).isEqualTo(1);
        assertThat(setup.log())
                .contains(
                        "the certificate of localhost:" + port(security) + " is for mail.other.test, not localhost",
                        UNCHANGED)
                .doesNotContain("not trusted", "Exception");
    }

    @Test
    void saysFromWhenOnTheCertificateIsValid() throws Exception {
        start("localhost", "2090/02/01", 30);

        assertThat(setup(homeFixtureExtension.newHome(), "tls", "--ca-file", authority.toString())
                        .log())
                .contains("is not valid before 2090-02-01", UNCHANGED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tls", "starttls"})
    void offersCaFileWhereNobodyVouchesForTheServer(String security) throws Exception {
        start("localhost", "2020/02/01", YEARS);
        HomeFixture home = homeFixtureExtension.newHome();

        PosternProcess refused = setup(home, security);
        assertThat(refused.awaitExit()).isEqualTo(1);
        assertThat(refused.log())
                .contains(
                        "the certificate of localhost:" + port(security)
                                + " is not trusted (it is for localhost, signed by Test Authority)",
                        "hooks.gmail.caFile",
                        "javax.net.ssl.trustStore would replace Java's own",
                        UNCHANGED);

        PosternProcess taken = setup(home, security, "--ca-file", authority.toString());
        assertThat(taken.awaitExit()).as(taken.log()).isZero();
        assertThat(check(home).out()).contains("ok: hooks.gmail: the login works");
        PosternProcess postern = home.start();
        MailRuns.awaitWatched(postern);
        server.deliver(mail("over " + security, "Hello."));
        try (HomeDatabase database = home.database()) {
            MailRuns runs = new MailRuns(database);
            runs.await(1, LONGEST);
            assertThat(runs.subjects()).containsExactly("over " + security);
        }
    }

    @Test
    void namesTheFoldersThereAreWhereMailsCanNotBeMovedTo() throws Exception {
        start("localhost", "2020/02/01", YEARS);
        server.newFolder("Fertig.Jä");
        String missing = "there is no folder [Nowhere] to move mails to at localhost; there are ";

        PosternProcess setup = setup(
                homeFixtureExtension.newHome(),
                "tls",
                "--ca-file",
                authority.toString(),
                "--afterwards",
                "move to Nowhere");
        assertThat(setup.awaitExit()).isEqualTo(1);
        assertThat(setup.log()).contains(missing, "[INBOX]", "[Fertig.Jä]", UNCHANGED);

        HomeFixture home = watched("tls", ", afterwards: move to Nowhere");
        PosternProcess checked = check(home);
        assertThat(checked.awaitExit()).isEqualTo(1);
        assertThat(checked.out()).contains("problem: hooks.gmail: " + missing, "[INBOX]");
        PosternProcess tested =
                home.run("mail", "test", "--home", home.directory().toString());
        assertThat(tested.awaitExit()).isEqualTo(1);
        assertThat(tested.log()).contains(missing, "[INBOX]");
    }

    @Test
    void saysThatMailsInAFolderThatCanOnlyBeReadAreNotMarked() throws Exception {
        start("localhost", "2020/02/01", YEARS);
        server.deliver(mail("first", "Hello."));
        server.makeReadOnly();

        PosternProcess setup =
                setup(homeFixtureExtension.newHome(), "tls", "--ca-file", authority.toString(), "--afterwards", "read");

        assertThat(setup.awaitExit()).isEqualTo(1);
        assertThat(setup.log()).contains("can only be read", "hooks.gmail.afterwards", UNCHANGED);
    }

    @Test
    void isImpairedUntilAMailCanBeMovedAgain() throws Exception {
        start("localhost", "2020/02/01", YEARS);
        HomeFixture home = watched("tls", ", afterwards: move to Nowhere");
        PosternProcess postern = home.start();
        MailRuns.awaitWatched(postern);
        server.deliver(mail("first", "Hello."));
        server.deliver(mail("second", "Hello."));
        await().atMost(LONGEST).until(() -> MailRuns.health(postern)
                .contains("handled mails are not moved, since the folder for them is not there"));
        assertThat(MailRuns.health(postern)).doesNotContain("Nowhere", Dovecot.ACCOUNT);
        try (HomeDatabase database = home.database()) {
            MailRuns runs = new MailRuns(database);
            runs.await(2, LONGEST);
            assertThat(postern.log()).containsOnlyOnce("there is no folder [Nowhere] to move mails to at localhost");

            server.newFolder("Nowhere");
            server.deliver(mail("third", "Hello."));
            runs.await(3, LONGEST);
        }
        await().atMost(LONGEST).until(() -> !MailRuns.health(postern).contains("impaired"));
        assertThat(server.count("Nowhere")).isEqualTo(1);
    }

    @Test
    void tellsHowLargeAttachmentsAreAndFetchesNone() throws Exception {
        start("localhost", "2020/02/01", YEARS);
        HomeFixture home = watched("tls", ", since: 2020-01-01");
        List<Integer> sizes = List.of(1, 2, 3, 56, 57, 58, 300_000, 1_048_575, 1_048_576);
        server.deliver(withAttachments(sizes));
        server.deliver(nested(120));

        String shown =
                home.run("mail", "test", "--home", home.directory().toString()).out();

        List<Integer> told = new ArrayList<>();
        Matcher size = Pattern.compile("\"name\" : \"a\\d+.bin\",\\s*\"type\" : \"[^\"]*\",\\s*\"size\" : (\\d+)")
                .matcher(shown);
        while (size.find()) {
            told.add(Integer.parseInt(size.group(1)));
        }
        assertThat(told).hasSameSizeAs(sizes);
        for (int i = 0; i < sizes.size(); i++) {
            assertThat(told.get(i)).isBetween(sizes.get(i) - 1, sizes.get(i) + 1);
        }
        assertThat(shown).contains("unnamed (multipart/mixed)", "about ").doesNotContain(",  bytes");
    }

    private void start(String host, String from, int days) throws Exception {
        server = new Dovecot(Files.createTempDirectory(directory, "server-"), certificates.sign(host, from, days));
    }

    private int port(String security) {
        return security.equals("tls") ? server.tlsPort() : server.plainPort();
    }

    private PosternProcess setup(HomeFixture home, String security, String... more) {
        List<String> words =
                new ArrayList<>(List.of("mail", "setup", "--account", Dovecot.ACCOUNT, "--host", "localhost"));
        words.addAll(List.of("--port", Integer.toString(port(security)), "--security", security));
        words.addAll(List.of("--home", home.directory().toString()));
        words.addAll(List.of(more));
        return home.answer(Dovecot.PASSWORD, words.toArray(String[]::new));
    }

    private HomeFixture watched(String security, String more) throws IOException {
        return homeFixtureExtension
                .newHome()
                .settings(HomeFixture.hooks(
                        "presets: [gmail]",
                        "gmail: {account: %s, host: localhost, port: %d, security: %s, caFile: '%s', password: %s%s}"
                                .formatted(
                                        Dovecot.ACCOUNT, port(security), security, authority, Dovecot.PASSWORD, more)));
    }

    private static PosternProcess check(HomeFixture home) {
        return home.run("check", "--online", "--home", home.directory().toString());
    }

    private static String mail(String subject, String rest) {
        return "From: Bob <bob@example.com>\nTo: " + Dovecot.ACCOUNT + "\nSubject: " + subject + "\nMessage-ID: "
                + TestMail.newId() + "\n" + (rest.startsWith("Content-Type") ? rest : "\n" + rest) + "\n";
    }

    private static String withAttachments(List<Integer> sizes) {
        String parts = IntStream.range(0, sizes.size())
                .mapToObj(i -> "--b\nContent-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n"
                        + "Content-Disposition: attachment; filename=a" + i + ".bin\n\n"
                        + Base64.getMimeEncoder(76, new byte[] {'\n'}).encodeToString(new byte[sizes.get(i)])
                        + (i % 2 == 0 ? "\n" : "\n\n"))
                .collect(Collectors.joining());
        return mail("sizes", "Content-Type: multipart/mixed; boundary=b\n\n" + parts + "--b--");
    }

    private static String nested(int depth) {
        String part = "Content-Type: text/plain\n\nDeep.\n";
        for (int i = depth; i > 0; i--) {
            part = "Content-Type: multipart/mixed; boundary=b%1$de\n\n--b%1$de\n%2$s--b%1$de--\n".formatted(i, part);
        }
        return mail("nested", part);
    }
}
