package dev.postern.it;

import static dev.postern.it.ResponseAssert.assertThatResponse;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of what senders with tokens of their own may do: each combination of sender, hook and field. */
class SendersIT extends DeploymentFixture {

    private static final String TOKEN = "-token-0123456789abcdefghij";

    @Deployment(testable = false)
    static WebArchive postern() {
        List<String> hooks = List.of(
                "allowRequestSessionKey: true",
                "mappings:",
                "  - {match: {path: ci}, messageTemplate: '{{payload.message}}', agentId: '{{payload.agentId}}',"
                        + " model: '{{payload.model}}', channel: '{{payload.channel}}'}",
                "  - {match: {path: gh/push}, messageTemplate: push}",
                "  - {match: {path: gh/deep/er}, messageTemplate: push}",
                "  - {match: {path: other}, messageTemplate: other}",
                "  - {match: {path: red}, action: deliver, template: red, channel: '{{payload.channel}}', to: C0123456789}");
        return DeploymentHome.with(
                        "senders",
                        hooks,
                        "agents:",
                        "  defaults: {models: {fast: offline/echo, quiet: offline/ack}, model: fast}",
                        "  list: [{id: main, default: true}, {id: ops}]",
                        "channels: {slack: {botToken: xoxb-nothing-that-is-real, baseUrl: 'http://127.0.0.1:9'}}",
                        "senders:",
                        "  wide: {token: wide" + TOKEN + ", hooks: [wake, agent, ci, 'gh/*']}",
                        "  bare: {token: bare" + TOKEN + ", hooks: [wake]}",
                        "  below: {token: below" + TOKEN + ", hooks: ['gh/*']}",
                        "  none: {token: none" + TOKEN + ", hooks: []}",
                        "  agents: {token: agents" + TOKEN + ", hooks: [wake, agent, ci], agents: [ops]}",
                        "  sessions: {token: sessions" + TOKEN + ", hooks: [agent], sessionKeyPrefixes: ['hook:s:']}",
                        "  models: {token: models" + TOKEN + ", hooks: [agent, ci], models: [quiet]}",
                        "  channels: {token: channels" + TOKEN + ", hooks: [agent, ci, red], channels: [inbox]}",
                        "  full: {token: full" + TOKEN + ", hooks: [wake], maxPending: 2}",
                        "  fast: {token: fast" + TOKEN + ", hooks: [wake], rate: 2/1h}",
                        "  turned: {token: [old" + TOKEN + ", new" + TOKEN + "], hooks: [wake]}",
                        "  off: {token: off" + TOKEN + ", hooks: [wake], disabled: true}",
                        "  past: {token: past" + TOKEN + ", hooks: [wake], expires: 2020-01-01}",
                        "  later: {token: later" + TOKEN + ", hooks: [wake], expires: 2999-01-01}")
                .war();
    }

    @ParameterizedTest
    @CsvSource({
        "wide, wake, 200",
        "wide, agent, 202",
        "wide, ci, 202",
        "wide, gh/push, 202",
        "wide, gh/deep/er, 202",
        "wide, other, 403",
        "wide, gh, 403",
        "wide, nothing, 403",
        "wide, gh/nothing, 404",
        "bare, wake, 200",
        "bare, agent, 403",
        "bare, ci, 403",
        "bare, gh/push, 403",
        "bare, gh/deep/er, 403",
        "bare, other, 403",
        "bare, %77ake, 404",
        "bare, wake/x, 403",
        "below, wake, 403",
        "below, agent, 403",
        "below, ci, 403",
        "below, gh/push, 202",
        "below, gh/push/, 202",
        "below, gh/deep/er, 202",
        "below, gh, 403",
        "below, ghx, 403",
        "below, other, 403",
        "none, wake, 403",
        "none, agent, 403",
        "none, ci, 403",
        "none, gh/push, 403",
        "later, wake, 200"
    })
    void opensItsOwnHooksAlone(String sender, String hook, int status) {
        long before = metrics().accepted();

        RawResponse response =
                as(sender, hook, "{\"text\": \"a\", \"message\": \"a\"}").send();

        assertThat(response.status()).as("%s", response).isEqualTo(status);
        if (status == 403) {
            assertThatResponse(response).isError(403, "not_allowed", "hook");
        }
        assertThat(metrics().accepted() - before).isEqualTo(status < 300 ? 1 : 0);
    }

    @ParameterizedTest
    @CsvSource({
        // the default agent, session, model and channel count as if they were named
        "agents, agent, '', agentId",
        "agents, agent, agentId=main, agentId",
        "agents, agent, agentId=unknown, agentId",
        "agents, agent, agentId=ops, ok",
        "agents, ci, '', agentId",
        "agents, ci, agentId=main, agentId",
        "agents, ci, agentId=ops, ok",
        "agents, wake, '', agentId",
        "agents, wake, agentId=main, agentId",
        "agents, wake, agentId=unknown, agentId",
        "agents, wake, agentId=ops, ok",
        "sessions, agent, '', ok",
        "sessions, agent, sessionKey=hook:s:1, ok",
        "sessions, agent, sessionKey=hook:s, sessionKey",
        "sessions, agent, sessionKey=hook:other, sessionKey",
        "sessions, agent, sessionKey=HOOK:s:1, sessionKey",
        "models, agent, '', model",
        "models, agent, model=fast, model",
        "models, agent, model=offline/echo, model",
        "models, agent, model=quiet, ok",
        "models, agent, model=offline/ack, ok",
        "models, ci, '', model",
        "models, ci, model=fast, model",
        "models, ci, model=quiet, ok",
        "channels, agent, '', channel",
        "channels, agent, channel=last, channel",
        "channels, agent, channel=slack, channel",
        "channels, agent, channel=slack;deliver=false, channel",
        "channels, agent, deliver=false, ok",
        "channels, agent, channel=inbox, ok",
        "channels, ci, '', channel",
        "channels, ci, channel=slack, channel",
        "channels, ci, channel=inbox, ok",
        "channels, red, channel=slack, channel",
        "channels, red, channel=inbox, ok",
        "wide, agent, agentId=ops;model=quiet;channel=slack;deliver=false;sessionKey=any, ok"
    })
    void staysWithinItsScope(String sender, String hook, String named, String field) {
        long before = metrics().accepted();

        RawResponse response = as(sender, hook, body(named)).send();

        if (field.equals("ok")) {
            assertThatResponse(response).isOk(hook.equals("wake") ? 200 : 202);
        } else {
            assertThatResponse(response).isError(403, "not_allowed", field);
        }
        assertThat(metrics().accepted() - before).isEqualTo(field.equals("ok") ? 1 : 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"off", "past", "unknown"})
    void isAnsweredLikeAnyUnknownToken(String sender) {
        RawResponse unknown =
                to("hooks/wake").method("POST", "{\"text\":\"a\"}").bearer("x").send();

        RawResponse response = as(sender, "wake", "{\"text\":\"a\"}").send();

        assertThatResponse(response).isError(401, "unauthorized");
        assertThat(response.body()).isEqualTo(unknown.body());
    }

    @Test
    void opensWithBothTokensWhileTheyAreChanged() {
        for (String token : List.of("old", "new")) {
            assertThatResponse(as(token, "wake", "{\"text\":\"a\"}").send()).isOk(200);
        }
        assertThatResponse(as("turned", "wake", "{\"text\":\"a\"}").send()).isError(401, "unauthorized");
    }

    @Test
    void findsItsOwnRunsAlone() {
        String own = as("wide", "agent", "{\"message\":\"a\"}").send().text("runId");
        String ofToken = agent("{\"message\":\"a\"}").send().text("runId");

        assertThatResponse(run("wide", own)).isOk(200);
        assertThat(run("wide", own).text("sender")).isEqualTo("wide");
        for (String sender : List.of("bare", "none", "models")) {
            assertThatResponse(run(sender, own)).isError(404, "not_found");
        }
        assertThatResponse(run("wide", ofToken)).isError(404, "not_found");
        assertThatResponse(get("hooks/runs/" + own).send()).isOk(200);
        assertThat(get("hooks/runs/" + ofToken).send().body()).doesNotContain("\"sender\"");
        assertThatResponse(run("off", own)).isError(401, "unauthorized");
    }

    @Test
    void hasIdempotencyKeysOfItsOwn() {
        String text = "{\"text\":\"a\",\"mode\":\"next-heartbeat\"}";
        String first =
                as("wide", "wake", text).header("Idempotency-Key", "k").send().text("eventId");

        assertThatResponse(
                        as("wide", "wake", text).header("Idempotency-Key", "k").send())
                .isOk(200)
                .hasHeader("Idempotent-Replayed", "true");
        RawResponse other = as("bare", "wake", "{\"text\":\"b\",\"mode\":\"next-heartbeat\"}")
                .header("Idempotency-Key", "k")
                .send();
        assertThatResponse(other).isOk(200).hasNoHeader("Idempotent-Replayed");
        assertThat(other.text("eventId")).isNotEqualTo(first);
        assertThatResponse(wake("{\"text\":\"c\",\"mode\":\"next-heartbeat\"}")
                        .header("Idempotency-Key", "k")
                        .send())
                .isOk(200)
                .hasNoHeader("Idempotent-Replayed");
    }

    @Test
    void takesNoMoreThanItsRateAndSaysWhenItGoesOn() {
        String text = "{\"text\":\"a\",\"mode\":\"next-heartbeat\"}";
        for (int i = 0; i < 2; i++) {
            assertThatResponse(as("fast", "wake", text).send()).isOk(200);
        }

        RawResponse refused = as("fast", "wake", text).send();

        assertThatResponse(refused).isError(429, "rate_limited");
        assertThat(Long.parseLong(refused.header("Retry-After").orElseThrow())).isBetween(1_700L, 1_800L);
        assertThat(metrics().sum("postern_sender_rate_limited_total{sender=\"fast\"}"))
                .isEqualTo(1);
        assertThatResponse(as("wide", "wake", text).send()).isOk(200);
    }

    @Test
    void hasNoMorePendingThanItsOwnRoom() {
        String text = "{\"text\":\"a\",\"mode\":\"next-heartbeat\"}";
        for (int i = 0; i < 2; i++) {
            assertThatResponse(as("full", "wake", text).send()).isOk(200);
        }

        assertThatResponse(as("full", "wake", text).send())
                .isError(503, "overloaded")
                .says("senders.full.maxPending");
        assertThatResponse(as("bare", "wake", text).send()).isOk(200);
    }

    private RawResponse run(String sender, String id) {
        return to("hooks/runs/" + id).bearer(sender + TOKEN).send();
    }

    private Request as(String sender, String hook, String body) {
        return to("hooks/" + hook).method("POST", body).bearer(sender + TOKEN);
    }

    /** A body with the fields that {@code named} names: {@code field=value}, with semicolons between them. */
    private static String body(String named) {
        StringBuilder json = new StringBuilder("{\"message\":\"a\",\"text\":\"a\"");
        for (String field : named.isEmpty() ? new String[0] : named.split(";", -1)) {
            String[] parts = field.split("=", 2);
            json.append(",\"").append(parts[0]).append("\":");
            json.append(parts[1].equals("false") ? "false" : '"' + parts[1] + '"');
        }
        return json.append('}').toString();
    }
}
