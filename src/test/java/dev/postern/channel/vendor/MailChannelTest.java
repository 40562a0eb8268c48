package dev.postern.channel.vendor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import dev.postern.channel.Channel;
import dev.postern.channel.Channel.Message;
import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.Channel.Outcome.Unsure;
import dev.postern.channel.Channel.Probe;
import dev.postern.config.Settings;
import dev.postern.model.RunState;
import dev.postern.model.Secret;
import dev.postern.net.AccessTokenSource;
import dev.postern.net.OAuthTokenCache;
import dev.postern.store.Store;
import dev.postern.store.TestDatabases;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The channel to mailboxes, against GreenMail, and against a server with replies of any kind. */
class MailChannelTest {

    private static final String ACCOUNT = "postern@example.com";
    private static final String PASSWORD = "rhubarb-and-marzipan";
    private static final String TEXT = "**Fixed** in `main`, see <b>this</b>.";
    private static final String THREAD = "ann@example.org/<1@example.org><2@example.org>/The build is red";
    private static final Instant CREATED = Instant.parse("2026-11-22T05:00:00Z");
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    Path home;

    private ScriptedSmtpServer scripted;
    private Store store;

    @BeforeEach
    void start() throws Exception {
        scripted = new ScriptedSmtpServer();
        store = TestDatabases.sqlite(home).open(() -> CREATED);
    }

    @AfterEach
    void stop() {
        scripted.close();
        store.close();
    }

    private MailChannel channel(Map<String, String> more) {
        return channel(more, Map.of("password", new Secret(PASSWORD)), null, PATIENCE, PATIENCE);
    }

    private MailChannel channel(
            Map<String, String> more,
            Map<String, Secret> secrets,
            MailLogin login,
            Duration timeout,
            Duration lastReply) {
        Map<String, String> options = new HashMap<>(Map.of(
                "host", "127.0.0.1",
                "port", Integer.toString(scripted.port()),
                "security", "none",
                "account", ACCOUNT,
                "from", ACCOUNT,
                "allow", "ann@example.org\n@example.net",
                "textLimit", "2000"));
        options.putAll(more);
        ChannelEntry entry = new ChannelEntry(new Settings.Channel("post", "mail", options, secrets));
        return new MailChannel(entry, login, new SentMailTable(store, "post", 2), timeout, lastReply);
    }

    /** A channel whose access tokens are {@code token-1}, {@code token-2} and so on, the first of them kept. */
    private MailChannel withTokens(AtomicInteger number, AtomicInteger forgotten) {
        AccessTokenSource tokens = new AccessTokenSource() {
            @Override
            public OAuthTokenCache.Result current() {
                return new OAuthTokenCache.Result.Granted(new Secret("token-" + number.incrementAndGet()), null);
            }

            @Override
            public boolean isFresh() {
                return forgotten.get() == 0;
            }

            @Override
            public void forget() {
                forgotten.incrementAndGet();
            }
        };
        return channel(Map.of(), Map.of(), new MailLogin.Tokens(tokens), PATIENCE, PATIENCE);
    }

    private MailChannel impatient() {
        return within(Duration.ofMillis(400), Duration.ofMinutes(1));
    }

    private MailChannel within(Duration timeout, Duration lastReply) {
        return channel(Map.of(), Map.of("password", new Secret(PASSWORD)), null, timeout, lastReply);
    }

    private static Message message(String id, String to) {
        return new Message(id, "run_1", RunState.SUCCEEDED, "main", to, CREATED, 1, 1, TEXT, false);
    }

    private Outcome send() {
        return channel(Map.of()).send(message("dlv_1", THREAD));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ann",
                "@example.org",
                "ann@",
                "Ann <ann@example.org>",
                "ann@example.org,bob@example.org",
                "ann@example.org bob@example.org",
                "friends:ann@example.org;",
                "ann@example.org\r\nBcc: bob@example.org",
                "ann@example.org/<1@x>\r\n/Hello",
                "ann@example.org/<1@x>/Hello\nBcc: bob@example.org",
                "ann@example.org/<1@x>/Hello\u2028there",
                "ann@example.org/1@x/Hello",
                "ann@example.org/<1@ x>/Hello",
                "ann@example.org/<1@x> <2@x>/Hello",
                "ann@example..org",
                "\"ann\"@example.org",
                "änn@example.org"
            })
    void knowsWhatIsNoRecipient(String to) {
        assertThat(channel(Map.of()).refusal(to)).startsWith("to is no mail address");
        assertThat(channel(Map.of()).send(message("dlv_1", to))).isInstanceOf(Refused.class);
        assertThat(scripted.lines()).isEmpty();
    }

    @Test
    void wantsToKnowToWhom() {
        assertThat(channel(Map.of()).refusal(null)).startsWith("to is no mail address");
        assertThat(channel(Map.of()).send(message("dlv_1", null))).isInstanceOf(Refused.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eve@example.org",
                "ann@example.com",
                "ann@sub.example.net",
                "ann@example.org.example.com",
                "ann%example.com@example.net",
                "example.com!ann@example.net"
            })
    void connectsToNobodyForAStranger(String to) {
        assertThat(channel(Map.of()).refusal(to)).startsWith("to is an address that channels.post.allow doesn't have");
        assertThat(reason(channel(Map.of()).send(message("dlv_1", to)))).contains("channels.post.allow");
        assertThat(scripted.lines()).isEmpty();
    }

    @Test
    void endsALoopByItsLimitForEachRecipient() {
        MailChannel channel = channel(Map.of());

        assertThat(channel.send(message("dlv_1", THREAD))).isInstanceOf(Sent.class);
        assertThat(channel.send(message("dlv_1", THREAD))).isInstanceOf(Sent.class);
        assertThat(channel.send(message("dlv_2", "ANN@example.org"))).isInstanceOf(Sent.class);
        Outcome third = channel.send(message("dlv_3", THREAD));
        assertThat(third).isInstanceOf(Refused.class);
        assertThat(reason(third)).contains("channels.post.maxPerRecipient").doesNotContain("example");
        assertThat(channel.send(message("dlv_4", "bob@example.net"))).isInstanceOf(Sent.class);
    }

    @Test
    void postponesAMailThatItCanNotCount() {
        MailChannel channel = channel(Map.of());
        store.close();

        Outcome outcome = channel.send(message("dlv_1", THREAD));

        assertThat(outcome).isInstanceOf(Later.class);
        assertThat(reason(outcome)).contains("database");
        assertThat(scripted.lines()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GREETING|421 4.3.2 busy|Later|(421 4.3.2)",
                "GREETING|554 no|Refused|(status 554)",
                "AUTH|454 4.7.0 rhubarb-and-marzipan|Later|(454 4.7.0)",
                "AUTH|535 5.7.8 rhubarb-and-marzipan|Refused|refused the login (535 5.7.8): set channels.post.password",
                "AUTH|534 5.7.9 rhubarb-and-marzipan|Refused|refused the login (534 5.7.9): set channels.post.password",
                "MAIL|451 4.3.0 later|Later|(451 4.3.0)",
                "MAIL|550 5.7.1 ann@example.org|Refused|(550 5.7.1)",
                "RCPT|450 4.2.1 ann@example.org|Later|(450 4.2.1)",
                "RCPT|550 5.1.1 ann@example.org|Refused|(550 5.1.1)",
                "RCPT|550 ann@example.org is 5.1.1.1.1|Refused|(status 550)",
                "DATA|452 4.3.1 full|Later|(452 4.3.1)",
                "DATA|554 5.6.0 no|Refused|(554 5.6.0)",
                "END|451 4.7.1 **Fixed**|Later|(451 4.7.1)",
                "END|552 5.3.4 **Fixed**|Refused|(552 5.3.4)",
                "END|421 4.4.2 bye|Later|(421 4.4.2)"
            })
    void understandsTheServersReplies(String command, String reply, String outcome, String words) {
        scripted.reply(command, reply);
        Outcome given = send();

        assertThat(given.getClass().getSimpleName()).isEqualTo(outcome);
        assertThat(reason(given))
                .contains(words)
                .doesNotContain("rhubarb", "example.org", "Fixed")
                .doesNotContain("127.0.0.1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GREETING", "EHLO", "AUTH", "MAIL", "RCPT", "DATA"})
    void triesAgainWhenTheServerIsGoneBeforeTheMailsEnd(String command) {
        scripted.reply(command, ScriptedSmtpServer.HANG_UP);
        assertThat(send()).isInstanceOf(Later.class);

        scripted.reply(command, ScriptedSmtpServer.SILENCE);
        Outcome silent = impatient().send(message("dlv_1", THREAD));
        assertThat(silent).isInstanceOf(Later.class);
        assertThat(reason(silent)).contains("did not answer in time");
    }

    @ParameterizedTest
    @ValueSource(strings = {ScriptedSmtpServer.HANG_UP, ScriptedSmtpServer.SILENCE})
    void isUnsureWhenTheServerIsGoneAfterTheMailsEnd(String reply) {
        scripted.reply("END", reply);
        Outcome outcome = within(Duration.ofSeconds(3), Duration.ofMillis(200)).send(message("dlv_1", THREAD));

        assertThat(outcome).isInstanceOf(Unsure.class);
        assertThat(reason(outcome)).contains("may have been sent");
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 9, none, can't be connected to",
        "nobody.invalid, 25, none, host is not known",
        "127.0.0.1, 0, tls, can't be secured",
        "127.0.0.1, 0, starttls, can't be secured"
    })
    void triesAgainWhenNothingCouldBeSent(String host, String port, String security, String words) {
        Map<String, String> there = new HashMap<>(Map.of("host", host, "security", security));
        if (!port.equals("0")) {
            there.put("port", port);
        }
        Outcome outcome = channel(there).send(message("dlv_1", THREAD));

        assertThat(outcome).isInstanceOf(Later.class);
        assertThat(reason(outcome)).contains(words, "check channels.post.host").doesNotContain("invalid", "127");
        assertThat(scripted.lines()).noneMatch(line -> line.startsWith("AUTH"));
    }

    @Test
    void waitsLongerOnceTheServerHasTheWholeMail() throws Exception {
        scripted.reply("END", ScriptedSmtpServer.SILENCE);
        MailChannel channel = within(Duration.ofSeconds(2), Duration.ofMinutes(1));
        AtomicReference<Outcome> outcome = new AtomicReference<>();
        Thread sender = new Thread(() -> outcome.set(channel.send(message("dlv_1", THREAD))));
        sender.start();
        await().until(() -> scripted.lines().contains("."));
        await().during(Duration.ofMillis(2500)).until(sender::isAlive);

        scripted.say("250 2.0.0 taken");
        sender.join(20_000);

        assertThat(outcome.get()).isInstanceOf(Sent.class);
    }

    @Test
    void isEndedByAnInterrupt() throws Exception {
        scripted.reply("END", ScriptedSmtpServer.SILENCE);
        AtomicReference<Outcome> outcome = new AtomicReference<>();
        AtomicReference<Boolean> interrupted = new AtomicReference<>();
        Thread sender = new Thread(() -> {
            outcome.set(send());
            interrupted.set(Thread.currentThread().isInterrupted());
        });
        sender.start();
        await().until(() -> scripted.lines().contains("."));
        sender.interrupt();
        sender.join(20_000);

        assertThat(outcome.get()).isInstanceOf(Unsure.class);
        assertThat(interrupted).hasValue(true);
    }

    @Test
    void sendsNothingAfterAnInterrupt() {
        Thread.currentThread().interrupt();
        Outcome outcome = send();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcome).isInstanceOf(Later.class);
        assertThat(scripted.lines()).isEmpty();
    }

    @Test
    void asksForANewTokenOnceWhenTheKeptOneIsRefused() {
        scripted.reply("AUTH", "535 5.7.8 no");
        AtomicInteger number = new AtomicInteger();
        AtomicInteger forgotten = new AtomicInteger();
        MailChannel channel = withTokens(number, forgotten);
        Outcome refused = channel.send(message("dlv_1", THREAD));

        assertThat(reason(refused)).contains("refused the access token (535 5.7.8): check ");
        assertThat(scripted.lines())
                .filteredOn(line -> line.startsWith("AUTH "))
                .containsExactly("AUTH XOAUTH2 " + xoauth("token-1"), "AUTH XOAUTH2 " + xoauth("token-2"));
    }

    @Test
    void answersTheChallengeForTheReasonOfARefusedToken() {
        scripted.reply("AUTH", ScriptedSmtpServer.CHALLENGE);
        Outcome refused = withTokens(new AtomicInteger(), new AtomicInteger()).send(message("dlv_1", THREAD));

        assertThat(refused)
                .isEqualTo(new Refused("the mail server refused the access token (535 5.7.1): check the scope and the"
                        + " account of hooks.gmail.oauth, and whether its grant was revoked"));
        assertThat(scripted.lines())
                .containsSubsequence("AUTH XOAUTH2 " + xoauth("token-1"), "", "AUTH XOAUTH2 " + xoauth("token-2"), "");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "454 4.7.0 Too many login attempts|Later|can't take the message now (454 4.7.0)",
                "334 e30=|Refused|refused the access token (status 334)",
                ScriptedSmtpServer.HANG_UP + "|Later|broke before the whole answer was there"
            })
    void understandsTheCodeBehindTheChallenge(String reply, String outcome, String words) {
        scripted.reply("AUTH", ScriptedSmtpServer.CHALLENGE);
        scripted.reply("", reply);
        Outcome given = withTokens(new AtomicInteger(), new AtomicInteger()).send(message("dlv_1", THREAD));

        assertThat(given.getClass().getSimpleName()).isEqualTo(outcome);
        assertThat(reason(given)).contains(words);
    }

    @Test
    void findsThatAServerOffersNoLoginOfTheAccountsKind() {
        scripted.reply("EHLO", "250-hello\r\n250 AUTH PLAIN LOGIN");
        Outcome token = withTokens(new AtomicInteger(), new AtomicInteger()).send(message("dlv_1", THREAD));
        scripted.reply("EHLO", "250-hello\r\n250 AUTH XOAUTH2");
        Outcome password = send();

        assertThat(token)
                .isEqualTo(new Refused("the mail server offers no login by access token here:"
                        + " check channels.post.port and channels.post.security"));
        assertThat(password)
                .isEqualTo(new Refused("the mail server offers no login by password here:"
                        + " check channels.post.port and channels.post.security"));
        assertThat(scripted.lines()).noneMatch(line -> line.startsWith("AUTH"));
    }

    private static String xoauth(String token) {
        String text = "user=" + ACCOUNT + "\u0001auth=Bearer " + token + "\u0001\u0001";
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"250 hello", "250-hello\r\n250 SIZE 1000000", "502 what"})
    void findsThatAServerOffersNoLogin(String reply) {
        scripted.reply("EHLO", reply);
        scripted.reply("HELO", "250 hello");

        Probe probe = channel(Map.of()).probe();

        assertThat(probe)
                .isEqualTo(new Probe.Bad("the mail server offers no login by password here:"
                        + " check channels.post.port and channels.post.security"));
    }

    @Test
    void sendsByARelayThatOffersNoLogin() {
        scripted.reply("EHLO", "250 hello");

        assertThat(send()).isInstanceOf(Sent.class);
        assertThat(scripted.lines()).noneMatch(line -> line.startsWith("AUTH"));
    }

    @Test
    void triesTheLoginWithoutAMail() {
        assertThat(channel(Map.of()).probe()).isEqualTo(new Probe.Good(ACCOUNT));
        assertThat(scripted.lines()).noneMatch(line -> line.startsWith("MAIL"));

        scripted.reply("AUTH", "535 5.7.8 no");
        Probe probe = channel(Map.of()).probe();
        assertThat(((Probe.Bad) probe).reason()).contains("channels.post.password");
    }

    @Test
    void splitsALongReply() {
        Channel channel = channel(Map.of());
        assertThat(channel.parts("a")).containsExactly("a");
        assertThat(channel.parts("word ".repeat(1000))).hasSizeGreaterThan(1).allMatch(part -> part.length() <= 2000);
    }

    @Test
    void answersInTheThreadAsAProgram() throws Exception {
        try (InputStream mail = sent(THREAD)) {
            MimeMessage message = new MimeMessage(null, mail);

            assertThat(message.getHeader("From")).containsExactly(ACCOUNT);
            assertThat(message.getHeader("To")).containsExactly("ann@example.org");
            assertThat(message.getSubject()).isEqualTo("Re: The build is red");
            assertThat(message.getHeader("In-Reply-To")).containsExactly("<2@example.org>");
            assertThat(message.getHeader("References", " ").split("\\s+"))
                    .containsExactly("<1@example.org>", "<2@example.org>");
            assertThat(message.getHeader("Message-ID")).containsExactly("<dlv_1.1@example.com>");
            assertThat(message.getHeader("Auto-Submitted")).containsExactly("auto-replied");
            assertThat(message.getHeader("X-Postern-Delivery")).containsExactly("dlv_1.1");
            assertThat(message.getSentDate()).isEqualTo(CREATED);
            MimeMultipart content = new MimeMultipart(message.getDataHandler().getDataSource());
            assertThat(content.getContentType()).startsWith("multipart/alternative");
            assertThat(text(content, 0)).isEqualTo(TEXT);
            assertThat(text(content, 1))
                    .contains("<strong>Fixed</strong> in <code>main</code>, see &lt;b&gt;this&lt;/b&gt;.");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ann@example.org|Fixed** in `main`, see <b>this</b>.",
                "ann@example.org//Ein schönes Ende 🎉|Ein schönes Ende 🎉",
                "ann@example.org/<1@x>/RE: Straße|RE: Straße",
                "ann@example.org/<1@x>/re: a/b|re: a/b",
                "ann@example.org/<a/b@x>/|Re:",
                "ann@example.org/<1@x>|Re:"
            })
    void writesTheSubject(String to, String subject) throws Exception {
        try (InputStream mail = sent(to)) {
            assertThat(new MimeMessage(null, mail).getSubject()).isEqualTo(subject);
        }
    }

    @Test
    @Timeout(30)
    void writesTheSubjectOfALineThatIsOnlyMarks() throws Exception {
        Message marks = new Message(
                "dlv_1",
                "run_1",
                RunState.SUCCEEDED,
                "main",
                "ann@example.org",
                CREATED,
                1,
                1,
                "x" + "#".repeat(400_000) + "y",
                false);

        assertThat(channel(Map.of()).send(marks)).isInstanceOf(Sent.class);
        assertThat(scripted.lines()).anyMatch(line -> line.startsWith("Subject: "));
    }

    private InputStream sent(String to) {
        ServerSetup setup = new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP);
        setup.setServerStartupTimeout(10_000);
        GreenMail server = new GreenMail(setup);
        server.start();
        try {
            server.setUser(ACCOUNT, ACCOUNT, PASSWORD);
            String port = Integer.toString(server.getSmtp().getPort());
            Outcome outcome = channel(Map.of("port", port)).send(message("dlv_1", to));
            assertThat(outcome).isEqualTo(new Sent("<dlv_1.1@example.com>"));
            assertThat(server.waitForIncomingEmail(10_000, 1)).isTrue();
            MimeMessage received = server.getReceivedMessages()[0];
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            received.writeTo(bytes);
            return new ByteArrayInputStream(bytes.toByteArray());
        } catch (IOException | MessagingException e) {
            throw new AssertionError(e);
        } finally {
            server.stop();
        }
    }

    private static String text(MimeMultipart content, int part) throws Exception {
        try (InputStream decoded = content.getBodyPart(part).getInputStream()) {
            return new String(decoded.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }

    private static String reason(Outcome outcome) {
        return VendorServer.reason(outcome);
    }
}
