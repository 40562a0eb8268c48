package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of what a request may name under the strictest settings. */
class FullPolicyIT {

    private static final String OLD_TOKEN = "it-the-token-before-0123456789";

    @RegisterExtension
    static final HomeFixtureExtension HOMES = HomeFixtureExtension.ofClass();

    private static HomeFixture home;
    private static HookSender sender;

    @BeforeAll
    static void start() throws Exception {
        home = HOMES.newHome()
                .settings(
                        """
                        hooks:
                          enabled: true
                          token: [%s, %s]
                          tokenHeaders: [X-Other-Token]
                          allowRequestSessionKey: true
                          allowedSessionKeyPrefixes: ["hook:", "crm:"]
                          defaultSessionKey: hook:fixed
                          allowedAgentIds: [main, ghost]
                        agents:
                          defaults: {model: echo, models: {echo: offline/echo, quiet: offline/ack}}
                          list: [{id: main}, {id: secret}]
                        """
                                .formatted(HomeFixture.TOKEN, OLD_TOKEN));
        sender = home.start().sender();
    }

    @Test
    void refusesASessionKeyWithoutAnAllowedPrefixAndNamesThePrefixes() throws Exception {
        PosternResponse refused = agent("\"sessionKey\":\"main:main\"");

        assertRefused(refused, "session_key_prefix", "sessionKey");
        assertThat(refused.text("error")).contains("hook:", "crm:");
    }

    @Test
    void refusesAnAgentThatMayNotBeNamed() throws Exception {
        assertRefused(agent("\"agentId\":\"secret\""), "agent_not_allowed", "agentId");
    }

    @Test
    void appliesTheAllowListToAnUnknownAgentAsItIsNamed() throws Exception {
        assertRefused(agent("\"agentId\":\"nobody\""), "agent_not_allowed", "agentId");
    }

    @Test
    void refusesAModelThatMayNotBeNamed() throws Exception {
        PosternResponse refused = agent("\"model\":\"elsewhere/some-model\"");

        assertRefused(refused, "model_not_allowed", "model");
        assertThat(refused.text("error")).contains("offline/echo");
    }

    @Test
    void givesAnUnknownAgentsWorkToTheDefaultAgent() throws Exception {
        PosternResponse run = ended(agent("\"agentId\":\"ghost\""));

        assertThat(run.text("agentId")).isEqualTo("main");
    }

    @Test
    void takesASessionKeyWithAnAllowedPrefix() throws Exception {
        assertThat(agent("\"sessionKey\":\"crm:42\"").text("sessionKey")).isEqualTo("crm:42");
    }

    @Test
    void givesTheDefaultSessionToARunThatNamesNone() throws Exception {
        assertThat(agent("\"name\":\"x\"").text("sessionKey")).isEqualTo("hook:fixed");
    }

    @Test
    void resolvesAnAliasBeforeItLooksAtTheList() throws Exception {
        PosternResponse run = ended(agent("\"model\":\"quiet\""));

        assertThat(run.text("model")).isEqualTo("offline/ack");
        assertThat(run.text("delivery")).isEqualTo("suppressed");
    }

    @Test
    void takesABlankNameOfAnythingAsNone() throws Exception {
        PosternResponse run =
                ended(agent("\"agentId\":\" \",\"sessionKey\":\"\",\"to\":\"  \",\"model\":\"\",\"thinking\":\" \""));

        assertThat(run.text("agentId")).isEqualTo("main");
        assertThat(run.text("sessionKey")).isEqualTo("hook:fixed");
        assertThat(run.text("model")).isEqualTo("offline/echo");
    }

    @Test
    void letsEachOfTwoTokensInAndNoOther() throws Exception {
        assertThat(sender.withToken(OLD_TOKEN)
                        .post("wake", "{\"text\":\"old\"}")
                        .status())
                .isEqualTo(200);
        assertThat(sender.post("wake", "{\"text\":\"new\"}").status()).isEqualTo(200);
        PosternResponse refused = sender.withToken(HomeFixture.TOKEN + "x").post("wake", "{\"text\":\"wrong\"}");
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.text("code")).isEqualTo("unauthorized");
    }

    @Test
    void takesTheTokenFromAHeaderThatTheOperatorNamed() throws Exception {
        PosternResponse taken =
                sender.withToken(null).post("wake", "{\"text\":\"hello\"}", "x-other-token", HomeFixture.TOKEN);

        assertThat(taken.status()).isEqualTo(200);
    }

    private static PosternResponse agent(String more) throws Exception {
        return sender.post("agent", "{\"message\":\"hello\"," + more + "}");
    }

    private static PosternResponse ended(PosternResponse accepted) {
        assertThat(accepted.status()).as(accepted.toString()).isEqualTo(202);
        return sender.ended(accepted.text("runId"));
    }

    private static void assertRefused(PosternResponse posternResponse, String code, String field) {
        assertThat(posternResponse.status()).as(posternResponse.toString()).isEqualTo(400);
        assertThat(posternResponse.text("code")).isEqualTo(code);
        assertThat(posternResponse.text("field")).isEqualTo(field);
    }
}
