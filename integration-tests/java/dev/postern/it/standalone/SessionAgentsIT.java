package dev.postern.it.standalone;

import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test that a session belongs to one agent: no sender brings its turns before another agent's model, nor into a main
 * session.
 */
@Tag("long")
class SessionAgentsIT {

    private static final String SECRET = "DEALSECRET 42";
    private static final String PRIVATE = "priv-3q8TgZy0LxW";
    private static final String PUBLIC = "pub-K2vR7nPq91c";
    private static final String AGENTS =
            "agents: {defaults: {model: lab/large, heartbeat: {every: off}}, list: [{id: main}, {id: public, model: lab/public}]}";

    @RegisterExtension
    static final PeerServersExtension PEERS = new PeerServersExtension();

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @Test
    void bringsNoTurnOfOneAgentsSessionBeforeTheModelOfAnother() throws Exception {
        HomeFixture home = home("agentId: public, ");
        PosternProcess first = home.start();
        assertSucceeds(first, signed(first, "priv", "{\"m\":\"" + SECRET + "\"}", PRIVATE));

        PosternResponse asked = signed(first, "pub", "{\"m\":\"what was said before?\",\"s\":\"priv:deals\"}", PUBLIC);
        assertSucceeds(first, asked);
        first.stop();
        PosternProcess second = home.start();
        assertSucceeds(second, signed(second, "pub", "{\"m\":\"and now?\",\"s\":\"priv:deals\"}", PUBLIC));
        assertSucceeds(second, signed(second, "priv", "{\"m\":\"go on\"}", PRIVATE));

        assertThat(asked.text("sessionKey")).isEqualTo("hook:priv:deals");
        assertThat(PEERS.chatRequests()).hasSize(4);
        assertThat(PEERS.chatRequests().get(1))
                .contains("what was said before?")
                .doesNotContain(SECRET);
        assertThat(PEERS.chatRequests().get(2))
                .contains("what was said before?", "and now?")
                .doesNotContain(SECRET);
        assertThat(PEERS.chatRequests().get(3)).contains(SECRET, "go on").doesNotContain("what was said before?");
    }

    @Test
    void showsTheSessionsOfTwoAgentsWithOneKeyAsTwo() throws Exception {
        HomeFixture home = home("agentId: public, ");
        PosternProcess postern = home.start();
        assertSucceeds(postern, signed(postern, "priv", "{\"m\":\"" + SECRET + "\"}", PRIVATE));
        PosternResponse asked = signed(postern, "pub", "{\"m\":\"hello\",\"s\":\"priv:deals\"}", PUBLIC);
        assertSucceeds(postern, asked);

        assertThat(shown(postern, home, "session?key=hook:priv:deals&agent=public"))
                .contains("hello", "\"agentId\":\"public\"", "\"key\":\"hook:priv:deals\"")
                .doesNotContain(SECRET);
        assertThat(shown(postern, home, "session?key=hook:priv:deals&agent=main"))
                .contains(SECRET, "\"agentId\":\"main\"")
                .doesNotContain("hello");
        assertThat(shown(postern, home, "session?key=hook:priv:deals"))
                .isEqualTo(shown(postern, home, "session?key=hook:priv:deals&agent=main"));
        assertThat(shown(postern, home, "runs?session=hook:priv:deals&agent=public"))
                .contains(asked.text("runId"))
                .containsOnlyOnce("\"runId\":\"run_");
        assertThat(shown(postern, home, "sessions?agent=public"))
                .contains("\"key\":\"hook:priv:deals\",\"agentId\":\"public\"")
                .doesNotContain("agent:public");
    }

    @Test
    void queuesAWakeForTheMainSessionOfTheAgentThatItNames() throws Exception {
        PEERS.stubFor(post(PeerServersExtension.CHAT).willReturn(okJson(PeerServersExtension.reply("Fine.", "stop"))));
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks(
                                "mappings:"
                                        + " [{match: {path: red}, action: wake, textTemplate: '{{payload.t}}', agentId: '{{payload.a}}'}]"),
                        AGENTS,
                        PEERS.provider());
        PosternProcess postern = home.start();

        postern.sender().post("wake", "{\"text\":\"later\",\"mode\":\"next-heartbeat\",\"agentId\":\"public\"}");

        assertThat(shown(postern, home, "session?key=main:public")).contains("later");
        assertThat(shown(postern, home, "session?key=main:main")).doesNotContain("later");
        assertThat(PEERS.chatRequests()).isEmpty();

        postern.sender().post("red", "{\"t\":\"now\",\"a\":\"public\"}");

        await().untilAsserted(() -> assertThat(PEERS.chatRequests()).hasSize(1));
        assertThat(PEERS.chatRequests().get(0)).contains("later", "now", "\"public\"");
    }

    @Test
    void letsNobodyIntoAMainSession() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .file("hooks/transforms/into.js", "module.exports = () => ({sessionKey: 'main:main'})")
                .settings(
                        HomeFixture.hooks(
                                "allowRequestSessionKey: true",
                                "allowedSessionKeyPrefixes: ['hook:', 'main']",
                                "mappings:",
                                "  - {match: {path: templated}, messageTemplate: x, sessionKey: '{{payload.s}}'}",
                                "  - {match: {path: scripted}, messageTemplate: x, transform: {module: into.js}}"),
                        AGENTS,
                        PEERS.provider());
        PosternProcess postern = home.start();

        assertThat(postern.log()).contains("hooks.allowedSessionKeyPrefixes", "allows nothing");
        for (String key : new String[] {"main", "main:main", "main:public", "main:"}) {
            assertRefused(postern.sender()
                    .post("agent", "{\"message\":\"m\",\"agentId\":\"public\",\"sessionKey\":\"" + key + "\"}"));
            assertRefused(postern.sender().post("templated", "{\"s\":\"" + key + "\"}"));
        }
        assertRefused(postern.sender().post("scripted", "{}"));
        assertThat(postern.sender()
                        .post("templated", "{\"s\":\"maintenance:1\"}")
                        .status())
                .isEqualTo(202);
    }

    @Test
    void startsWithNoSettingThatLeadsIntoAMainSession() throws Exception {
        HomeFixture fixed = homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks("mappings: [{messageTemplate: x, sessionKey: 'main:main'}]"),
                        PEERS.provider());
        HomeFixture byDefault =
                homeFixtureExtension.newHome().settings(HomeFixture.hooks("defaultSessionKey: main"), PEERS.provider());

        for (HomeFixture home : new HomeFixture[] {fixed, byDefault}) {
            PosternProcess check = home.run("check", "--home", home.directory().toString());
            assertThat(check.awaitExit()).isEqualTo(1);
            assertThat(check.out()).contains("problem: hooks.", "Postern's own", "such as hook:");
        }
    }

    @Test
    void warnsOfSessionKeyThatCanReachSessionOfAnotherMapping() throws Exception {
        HomeFixture home = home("");

        PosternProcess check = home.run("check", "--home", home.directory().toString());

        assertThat(check.awaitExit()).isZero();
        assertThat(check.out())
                .contains("warning: hooks.mappings[1].sessionKey")
                .contains("of pub (")
                .contains("can come out as a session of priv (");
        assertThat(home.start().log()).contains("can come out as a session of priv (");
    }

    /** Two hooks with a secret each, the second of which lets its payload choose the session. */
    private HomeFixture home(String agent) throws Exception {
        PEERS.stubFor(post(PeerServersExtension.CHAT).willReturn(okJson(PeerServersExtension.reply("Fine.", "stop"))));
        String verify = "verify: {scheme: github, secret: '";
        return homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks(
                                "allowedSessionKeyPrefixes: ['hook:']",
                                "mappings:",
                                "  - {id: priv, match: {path: priv}, messageTemplate: '{{payload.m}}', sessionKey:"
                                        + " 'hook:priv:deals', wakeMode: next-heartbeat, " + verify + PRIVATE + "'}}",
                                "  - {id: pub, match: {path: pub}, messageTemplate: '{{payload.m}}', sessionKey:"
                                        + " 'hook:{{payload.s}}', wakeMode: next-heartbeat, " + agent + verify + PUBLIC
                                        + "'}}"),
                        AGENTS,
                        PEERS.provider());
    }

    private static PosternResponse signed(PosternProcess postern, String hook, String body, String secret)
            throws Exception {
        return postern.sender().withToken(null).post(hook, body, "X-Hub-Signature-256", "sha256=" + hmac(body, secret));
    }

    private static String hmac(String body, String secret) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
        return HexFormat.of().formatHex(mac.doFinal(body.getBytes(UTF_8)));
    }

    private static void assertSucceeds(PosternProcess postern, PosternResponse accepted) {
        assertThat(accepted.status()).isEqualTo(202);
        assertThat(postern.sender().ended(accepted.text("runId")).text("status"))
                .isEqualTo("succeeded");
    }

    private static void assertRefused(PosternResponse posternResponse) {
        assertThat(posternResponse.status()).isEqualTo(400);
        assertThat(posternResponse.text("code")).isEqualTo("session_key_prefix");
        assertThat(posternResponse.text("field")).isEqualTo("sessionKey");
    }

    private static String shown(PosternProcess postern, HomeFixture home, String page) throws Exception {
        HookSender nobody = postern.sender().withToken(null);
        return nobody.get(
                        postern.base().resolve("console/api/" + page).toString(),
                        List.of("Authorization", home.operator()))
                .body();
    }
}
