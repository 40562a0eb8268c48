package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of what a request may name under the strictest settings. */
class PolicyIT {

    private static final String OLD_TOKEN = "it-the-token-before-0123456789";

    @RegisterExtension
    static final Homes HOMES = Homes.ofClass();

    private static Home home;
    private static Sender sender;

    @BeforeAll
    static void start() throws Exception {
        home = HOMES.fresh()
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
                                .formatted(Home.TOKEN, OLD_TOKEN));
        sender = home.start().sender();
    }

    @Test
    void refusesASessionKeyWithoutAnAllowedPrefixAndNamesThePrefixes() throws Exception {
        Answer refused = agent("\"sessionKey\":\"main:main\"");

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
        Answer refused = agent("\"model\":\"elsewhere/some-model\"");

        assertRefused(refused, "model_not_allowed", "model");
        assertThat(refused.text("error")).contains("offline/echo");
    }

    @Test
    void givesAnUnknownAgentsWorkToTheDefaultAgent() throws Exception {
        Answer run = ended(agent("\"agentId\":\"ghost\""));

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
        Answer run = ended(agent("\"model\":\"quiet\""));

        assertThat(run.text("model")).isEqualTo("offline/ack");
        assertThat(run.text("delivery")).isEqualTo("suppressed");
    }

    @Test
    void takesABlankNameOfAnythingAsNone() throws Exception {
        Answer run =
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
        Answer refused = sender.withToken(Home.TOKEN + "x").post("wake", "{\"text\":\"wrong\"}");
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.text("code")).isEqualTo("unauthorized");
    }

    @Test
    void takesTheTokenFromAHeaderThatTheOperatorNamed() throws Exception {
        Answer taken = sender.withToken(null).post("wake", "{\"text\":\"hello\"}", "x-other-token", Home.TOKEN);

        assertThat(taken.status()).isEqualTo(200);
    }

    private static Answer agent(String more) throws Exception {
        return sender.post("agent", "{\"message\":\"hello\"," + more + "}");
    }

    private static Answer ended(Answer accepted) {
        assertThat(accepted.status()).as(accepted.toString()).isEqualTo(202);
        return sender.ended(accepted.text("runId"));
    }

    private static void assertRefused(Answer answer, String code, String field) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.text("code")).isEqualTo(code);
        assertThat(answer.text("field")).isEqualTo(field);
    }
}
