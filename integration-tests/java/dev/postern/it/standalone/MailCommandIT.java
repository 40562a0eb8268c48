package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonStreamParser;
import com.icegreen.greenmail.user.GreenMailUser;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import jakarta.mail.Flags;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of {@code mail setup} and {@code mail test} with a mail server on this machine. */
@Tag("long")
class MailCommandIT {

    private static final String ACCOUNT = "ada@example.com";
    private static final String PASSWORD = "s3cret with spaces";

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    private final GreenMail server = new GreenMail(new ServerSetup[] {
        over(ServerSetup.PROTOCOL_IMAP), over(ServerSetup.PROTOCOL_IMAPS), over(ServerSetup.PROTOCOL_SMTP)
    });

    private GreenMailUser user;

    @BeforeEach
    void startServer() {
        server.start();
        user = server.setUser(ACCOUNT, ACCOUNT, PASSWORD);
    }

    @AfterEach
    void stopServer() {
        server.stop();
    }

    @Test
    void changesNothingWhereTheServerRefusesThePassword() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());
        String before = home.read("postern.yaml");

        PosternProcess ended = setup(home, "s3cret but wrong");

        assertThat(ended.awaitExit()).isEqualTo(1);
        assertThat(ended.log())
                .contains("refuses the login of " + ACCOUNT, "allow IMAP", "Nothing was changed.")
                .doesNotContain("s3cret", "Exception");
        assertThat(home.read("postern.yaml")).isEqualTo(before);
        assertThat(home.directory().resolve("secrets")).doesNotExist();
    }

    @Test
    void changesNothingWhereNoPasswordIsGiven() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome();

        PosternProcess ended = setup(home, "");

        assertThat(ended.awaitExit()).isEqualTo(1);
        assertThat(ended.log()).contains("postern: no password was given. Nothing was changed.");
        assertThat(home.directory()).doesNotExist();
    }

    @Test
    void namesTheFoldersThereAreWhereTheLabelIsNone() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome();

        PosternProcess ended = setup(home, PASSWORD, "--label", "Inbux");

        assertThat(ended.awaitExit()).isEqualTo(1);
        assertThat(ended.log()).contains("there is no folder [Inbux]", "[INBOX]", "Nothing was changed.");
        assertThat(home.directory()).doesNotExist();
    }

    @Test
    void namesTheFoldersThereAreWhereMailsCanNotBeMovedTo() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome();

        PosternProcess ended = setup(home, PASSWORD, "--afterwards", "move to Nowhere");

        assertThat(ended.awaitExit()).isEqualTo(1);
        assertThat(ended.log())
                .contains("there is no folder [Nowhere] to move mails to", "[INBOX]", "Nothing was changed.");
        assertThat(home.directory()).doesNotExist();
    }

    @Test
    void refusesFileWithoutCertificates() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());
        home.file("none.pem", "# nothing yet");
        String file = home.directory().resolve("none.pem").toString();

        PosternProcess ended = setup(home, PASSWORD, "--ca-file", file);

        assertThat(ended.awaitExit()).isEqualTo(1);
        assertThat(ended.log())
                .contains(
                        "problem: hooks.gmail.caFile [--ca-file]: names the file " + file,
                        "holds no certificate in PEM")
                .doesNotContain("Password");
    }

    @Test
    void trustsNoCertificateThatNobodyVouchesFor() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome();
        String port = String.valueOf(server.getImaps().getPort());

        PosternProcess ended = home.answer(PASSWORD, command(home, "--port", port, "--security", "tls"));

        assertThat(ended.awaitExit()).isEqualTo(1);
        assertThat(ended.log())
                .contains("the certificate of 127.0.0.1:" + port + " is not trusted", "Nothing was changed.")
                .doesNotContain("Exception");
        assertThat(home.directory()).doesNotExist();
    }

    @Test
    void asksForTheServerOfAnAddressThatItDoesNotKnow() {
        HomeFixture home = homeFixtureExtension.newHome();
        PosternProcess ended = home.answer(
                PASSWORD,
                "mail",
                "setup",
                "--account",
                ACCOUNT,
                "--home",
                home.directory().toString());

        assertThat(ended.awaitExit()).isEqualTo(1);
        assertThat(ended.log()).contains("which server ada@example.com is at", "--host imap.example.com");
    }

    @Test
    void asksForNothingWhereTheOptionsCanNotWork() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());

        PosternProcess ended = setup(home, PASSWORD, "--since", "yesterday");

        assertThat(ended.awaitExit()).isEqualTo(1);
        assertThat(ended.log())
                .startsWith("problem: hooks.gmail.since [--since]: is [yesterday]; write a date such as 2026-11-01")
                .doesNotContain("Password");
    }

    @Test
    void changesNothingWhereNoAnswersCanBeSent() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome();
        String port = String.valueOf(server.getSmtp().getPort());
        server.getSmtp().stopService();

        PosternProcess ended = setup(home, PASSWORD, answering(port, "@example.org"));

        assertThat(ended.awaitExit()).isEqualTo(1);
        assertThat(ended.log())
                .contains("answers can't be sent by " + ACCOUNT + " at 127.0.0.1:" + port + " (none): the mail server")
                .contains("Check --smtp-host, --smtp-port and --smtp-security. Nothing was changed.")
                .doesNotContain("s3cret", "Exception");
        assertThat(home.directory()).doesNotExist();
    }

    @Test
    void asksForNothingWhereAnswersCanNotWork() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks("presetReplyTo: {gmail: source}"));
        String before = home.read("postern.yaml");

        PosternProcess everyone = setup(home, PASSWORD, answering("25", "*"));
        assertThat(everyone.awaitExit()).isEqualTo(1);
        assertThat(everyone.log())
                .contains(
                        "problem: channels.mail.allow [--answer-to]: has an entry that is [*]", "Nothing was changed.")
                .contains("problem: hooks.presetReplyTo.gmail ["
                        + home.directory().resolve("mail.yaml") + "]: stands at ")
                .contains("remove it there, and give the command again")
                .doesNotContain("Password");
        assertThat(home.read("postern.yaml")).isEqualTo(before);
        assertThat(home.directory().resolve("mail.yaml")).doesNotExist();
    }

    @Test
    void switchesAnswersOnForThoseWhomItNames() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome();
        String port = String.valueOf(server.getSmtp().getPort());

        PosternProcess ended = setup(home, PASSWORD, answering(port, "bob@example.com,@example.org"));

        assertThat(ended.awaitExit()).as(ended.log()).isZero();
        assertThat(ended.out())
                .contains("The login for answers works: " + ACCOUNT + " at 127.0.0.1:" + port + " (none).")
                .contains("with hooks.gmail, hooks.presetReplyTo.gmail and channels.mail.")
                .contains("its reply goes to the channel mail (bob@example.com/<a-mail@example.com>/Printer 3).")
                .contains("Answers are on", "only to bob@example.com, everyone at example.org. Nobody else gets one")
                .doesNotContain("problem", "s3cret");
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(home.directory().resolve("mail.yaml"))))
                .isEqualTo("rw-------");
        assertThat(home.read("mail.yaml"))
                .contains(
                        "  presetReplyTo:\n    gmail: source\n", "    allow: [\"bob@example.com\", \"@example.org\"]\n")
                .doesNotContain("s3cret");
        assertThat(check(home, "--online").out()).contains("ok: channels.mail: the credentials work");

        PosternProcess again = setup(home, PASSWORD);
        assertThat(again.awaitExit()).isZero();
        assertThat(again.out())
                .contains("It does not say any more: hooks.presetReplyTo.gmail, channels.mail.")
                .contains("Nobody gets an answer by mail; --answer-to switches answers on");
        assertThat(home.read("mail.yaml")).doesNotContain("presetReplyTo", "channels");
        assertThat(server.getReceivedMessages()).isEmpty();
    }

    @Test
    void setsUpAFreshHomeWithOneCommand() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome();
        deliver("One", "Two");

        PosternProcess ended = setup(home, PASSWORD);

        assertThat(ended.awaitExit()).as(ended.log()).isZero();
        assertThat(ended.out())
                .contains("INBOX of ada@example.com at 127.0.0.1:"
                        + server.getImap().getPort() + " holds 2 mails")
                .contains("The mapping gmail makes a turn of it: agent main, session hook:gmail:a-thread@example.com,"
                        + " model offline/echo; its reply goes to the channel last.")
                .contains("each mail that arrives from then on in INBOX. In the mailbox it stays as it is, unread.")
                .contains("Restart Postern", "postern.war mail test --home " + home.directory() + "\n");
        assertThat(ended.out() + ended.log()).doesNotContain("s3cret", "Exception");
        assertThat(home.read("secrets/mail-password").strip()).isEqualTo(PASSWORD);
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(home.directory().resolve("secrets/mail-password"))))
                .isEqualTo("rw-------");
        assertThat(check(home).out()).contains("ok: hooks at /hooks").doesNotContain("problem");
        assertThat(check(home, "--online").out()).contains("ok: hooks.gmail: the login works");
    }

    @Test
    void leavesTheMainFileAndMayBeRunTwice() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(HomeFixture.hooks("presets: [github] # issues", "path: /in # not out"));
        String before = home.read("postern.yaml");
        server.getManagers().getImapHostManager().createMailbox(user, "Work");
        server.getManagers().getImapHostManager().createMailbox(user, "Done");

        PosternProcess first = setup(home, PASSWORD, "--label", "Work", "--afterwards", "move to Done");
        assertThat(first.awaitExit()).isZero();
        Path file = home.directory().resolve("mail.yaml");
        assertThat(first.out())
                .contains("Wrote " + file + " with hooks.gmail. To switch the watch off, delete that file.");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(home.read("mail.yaml"))
                .startsWith("# Written by \"java -jar postern.war mail setup\"")
                .contains("    account: \"" + ACCOUNT + "\"\n", "    afterwards: \"move to Done\"\n")
                .doesNotContain("s3cret");

        PosternProcess again = setup(home, PASSWORD);
        assertThat(again.awaitExit()).isZero();
        assertThat(again.out()).contains("It does not say any more: label, afterwards.");
        assertThat(home.read("mail.yaml")).doesNotContain("Done", "Work");
        assertThat(home.read("postern.yaml")).isEqualTo(before);
        assertThat(check(home).awaitExit()).isZero();
    }

    @Test
    void namesTheLinesThatHaveToGoFromTheMainFile() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(HomeFixture.hooks("gmail:", "  account: bob@example.com", "  password: s3cret-1"));
        String before = home.read("postern.yaml");
        int line = before.substring(0, before.indexOf("gmail:")).split("\n", -1).length;

        PosternProcess ended = setup(home, PASSWORD);

        assertThat(ended.awaitExit()).isEqualTo(1);
        assertThat(ended.log())
                .contains("problem: hooks.gmail [" + home.directory().resolve("mail.yaml") + "]: stands at ")
                .contains("postern.yaml:" + line + ":")
                .contains("(lines " + line + " to " + (line + 2) + ") too; remove it there, and give the command again")
                .contains("Nothing was changed.")
                .doesNotContain("s3cret", "Password");
        assertThat(home.read("postern.yaml")).isEqualTo(before);
        assertThat(home.directory().resolve("mail.yaml")).doesNotExist();
        assertThat(home.directory().resolve("secrets")).doesNotExist();
    }

    @Test
    void worksBesideJson5() throws Exception {
        String before = "{hooks: {enabled: true, token: '" + HomeFixture.TOKEN + "'}} // x";
        HomeFixture home = homeFixtureExtension.newHome().file("postern.json5", before);

        assertThat(setup(home, PASSWORD).awaitExit()).isZero();

        assertThat(home.read("postern.json5")).isEqualTo(before);
        assertThat(check(home, "--online").out()).contains("ok: hooks.gmail: the login works");
    }

    @Test
    void showsTheLastMailsAndWhatWouldBecomeOfThemAndMarksNone() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome();
        assertThat(setup(home, PASSWORD).awaitExit()).isZero();
        assertThat(test(home).log()).contains("INBOX of ada@example.com holds 0 mails");
        deliver("One", "Two", "Three", "Four");
        PosternProcess running = home.start();

        PosternProcess ended = test(home, "--account", ACCOUNT);

        assertThat(ended.awaitExit()).as(ended.log()).isZero();
        List<JsonObject> shown = new ArrayList<>();
        new JsonStreamParser(ended.out()).forEachRemaining(json -> shown.add(json.getAsJsonObject()));
        assertThat(shown).hasSize(3);
        JsonObject last = shown.get(2);
        assertThat(last.getAsJsonObject("payload")
                        .getAsJsonArray("messages")
                        .get(0)
                        .getAsJsonObject()
                        .get("subject"))
                .isEqualTo(JsonParser.parseString("Four"));
        assertThat(last.getAsJsonObject("explanation").get("mapping").getAsString())
                .isEqualTo("gmail");
        assertThat(last.getAsJsonObject("explanation").get("status").getAsInt()).isEqualTo(202);
        assertThat(server.getReceivedMessages()).hasSize(4);
        for (MimeMessage mail : server.getReceivedMessages()) {
            assertThat(mail.isSet(Flags.Flag.SEEN)).isFalse();
        }
        assertThat(running.stop()).isZero();
    }

    @Test
    void saysWhyTheMailboxCanNotBeShown() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());
        assertThat(test(home).log()).contains("hooks.gmail names no account; mail setup");

        assertThat(setup(home, PASSWORD).awaitExit()).isZero();
        PosternProcess other = test(home, "--account", "bob@example.com");
        assertThat(other.awaitExit()).isEqualTo(1);
        assertThat(other.log()).contains("the mailbox that is configured is ada@example.com, not bob@example.com");

        home.file("secrets/mail-password", "s3cret but wrong");
        PosternProcess refused = test(home);
        assertThat(refused.awaitExit()).isEqualTo(1);
        assertThat(refused.log()).contains("refuses the login").doesNotContain("s3cret", "Exception");
        PosternProcess checked = check(home, "--online");
        assertThat(checked.awaitExit()).isEqualTo(1);
        assertThat(checked.out())
                .contains("problem: hooks.gmail: ", "refuses the login")
                .doesNotContain("s3cret");

        server.stop();
        assertThat(test(home).log()).contains("can't be reached").doesNotContain("Exception");
    }

    private static ServerSetup over(String protocol) {
        ServerSetup setup = new ServerSetup(0, "127.0.0.1", protocol);
        setup.setServerStartupTimeout(30_000);
        return setup;
    }

    private PosternProcess setup(HomeFixture home, String password, String... more) {
        List<String> words = new ArrayList<>(
                List.of("--port", String.valueOf(server.getImap().getPort()), "--security", "none"));
        words.addAll(List.of(more));
        return home.answer(password, command(home, words.toArray(new String[0])));
    }

    private static String[] answering(String port, String allow) {
        return new String[] {
            "--answer-to", allow, "--smtp-host", "127.0.0.1", "--smtp-port", port, "--smtp-security", "none"
        };
    }

    private static String[] command(HomeFixture home, String... more) {
        List<String> words =
                new ArrayList<>(List.of("mail", "setup", "--account", ACCOUNT, "--host", "127.0.0.1", "--home"));
        words.add(home.directory().toString());
        words.addAll(List.of(more));
        return words.toArray(new String[0]);
    }

    private static PosternProcess test(HomeFixture home, String... more) {
        return run(home, List.of("mail", "test"), more);
    }

    private static PosternProcess check(HomeFixture home, String... more) {
        return run(home, List.of("check"), more);
    }

    private static PosternProcess run(HomeFixture home, List<String> command, String... more) {
        return home.run(Stream.of(
                        command,
                        List.of(more),
                        List.of("--home", home.directory().toString()))
                .flatMap(List::stream)
                .toArray(String[]::new));
    }

    private void deliver(String... subjects) throws Exception {
        for (String subject : subjects) {
            String mail = "From: Bob <bob@example.com>\r\nTo: " + ACCOUNT + "\r\nSubject: " + subject + "\r\n"
                    + "Message-ID: <" + subject + "@example.com>\r\n\r\nHello.\r\n";
            user.deliver(new MimeMessage(
                    Session.getInstance(new Properties()),
                    new ByteArrayInputStream(mail.getBytes(StandardCharsets.UTF_8))));
        }
    }
}
