package dev.postern.it.standalone;

import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test that a session belongs to one agent: no sender brings its turns before another agent's model, nor into a main
 * session.
 */
class SessionAgentsIT {

    private static final String SECRET = "DEALSECRET 42";
    private static final String PRIVATE = "priv-3q8TgZy0LxW";
    private static final String PUBLIC = "pub-K2vR7nPq91c";
    private static final String AGENTS =
            "agents: {defaults: {model: lab/large, heartbeat: {every: off}}, list: [{id: main}, {id: public, model: lab/public}]}";

    @RegisterExtension
    static final Peers PEERS = new Peers();

    @RegisterExtension
    final Homes homes = Homes.ofTest();

    @Test
    void bringsNoTurnOfOneAgentsSessionBeforeTheModelOfAnother() throws Exception {
        Home home = home("agentId: public, ");
        Postern first = home.start();
        assertSucceeds(first, signed(first, "priv", "{\"m\":\"" + SECRET + "\"}", PRIVATE));

        Answer asked = signed(first, "pub", "{\"m\":\"what was said before?\",\"s\":\"priv:deals\"}", PUBLIC);
        assertSucceeds(first, asked);
        first.stop();
        Postern second = home.start();
        assertSucceeds(second, signed(second, "pub", "{\"m\":\"and now?\",\"s\":\"priv:deals\"}", PUBLIC));
        assertSucceeds(second, signed(second, "priv", "{\"m\":\"go on\"}", PRIVATE));

        assertThat(asked.text("sessionKey")).isEqualTo("hook:priv:deals");
        assertThat(PEERS.asked()).hasSize(4);
        assertThat(PEERS.asked().get(1)).contains("what was said before?").doesNotContain(SECRET);
        assertThat(PEERS.asked().get(2))
                .contains("what was said before?", "and now?")
                .doesNotContain(SECRET);
        assertThat(PEERS.asked().get(3)).contains(SECRET, "go on").doesNotContain("what was said before?");
    }

    @Test
    void showsTheSessionsOfTwoAgentsWithOneKeyAsTwo() throws Exception {
        Home home = home("agentId: public, ");
        Postern postern = home.start();
        assertSucceeds(postern, signed(postern, "priv", "{\"m\":\"" + SECRET + "\"}", PRIVATE));
        Answer asked = signed(postern, "pub", "{\"m\":\"hello\",\"s\":\"priv:deals\"}", PUBLIC);
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
    void letsNobodyIntoAMainSession() throws Exception {
        Home home = homes.fresh()
                .file("hooks/transforms/into.js", "module.exports = () => ({sessionKey: 'main:main'})")
                .settings(
                        Home.hooks(
                                "allowRequestSessionKey: true",
                                "allowedSessionKeyPrefixes: ['hook:', 'main']",
                                "mappings:",
                                "  - {match: {path: templated}, messageTemplate: x, sessionKey: '{{payload.s}}'}",
                                "  - {match: {path: scripted}, messageTemplate: x, transform: {module: into.js}}"),
                        AGENTS,
                        PEERS.provider());
        Postern postern = home.start();

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
        Home fixed = homes.fresh()
                .settings(Home.hooks("mappings: [{messageTemplate: x, sessionKey: 'main:main'}]"), PEERS.provider());
        Home byDefault = homes.fresh().settings(Home.hooks("defaultSessionKey: main"), PEERS.provider());

        for (Home home : new Home[] {fixed, byDefault}) {
            Postern check = home.run("check", "--home", home.directory().toString());
            assertThat(check.awaitExit()).isEqualTo(1);
            assertThat(check.out()).contains("problem: hooks.", "Postern's own", "such as hook:");
        }
    }

    @Test
    void warnsOfASessionKeyThatAPayloadCanBringIntoTheSessionOfAnotherMapping() throws Exception {
        Home home = home("");

        Postern check = home.run("check", "--home", home.directory().toString());

        assertThat(check.awaitExit()).isZero();
        assertThat(check.out())
                .contains("warning: hooks.mappings[1].sessionKey")
                .contains("of pub (")
                .contains("can come out as a session of priv (");
        assertThat(home.start().log()).contains("can come out as a session of priv (");
    }

    /** Two hooks with a secret each, the second of which lets its payload choose the session. */
    private Home home(String agent) throws Exception {
        PEERS.stubFor(post(Peers.CHAT).willReturn(okJson(Peers.reply("Fine.", "stop"))));
        String verify = "verify: {scheme: github, secret: '";
        return homes.fresh()
                .settings(
                        Home.hooks(
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

    private static Answer signed(Postern postern, String hook, String body, String secret) throws Exception {
        return postern.sender().withToken(null).post(hook, body, "X-Hub-Signature-256", "sha256=" + hmac(body, secret));
    }

    private static String hmac(String body, String secret) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
        return HexFormat.of().formatHex(mac.doFinal(body.getBytes(UTF_8)));
    }

    private static void assertSucceeds(Postern postern, Answer accepted) {
        assertThat(accepted.status()).isEqualTo(202);
        assertThat(postern.sender().ended(accepted.text("runId")).text("status"))
                .isEqualTo("succeeded");
    }

    private static void assertRefused(Answer answer) {
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text("code")).isEqualTo("session_key_prefix");
        assertThat(answer.text("field")).isEqualTo("sessionKey");
    }

    private static String shown(Postern postern, Home home, String page) throws Exception {
        Sender nobody = postern.sender().withToken(null);
        return nobody.get(
                        postern.base().resolve("console/api/" + page).toString(),
                        List.of("Authorization", home.operator()))
                .body();
    }
}
