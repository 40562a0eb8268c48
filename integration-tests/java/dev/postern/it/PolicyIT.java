package dev.postern.it;

import static dev.postern.it.ResponseAssert.assertThatResponse;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A test of the operator's restrictions on what a request may name. */
class PolicyIT extends DeploymentFixture {

    @Deployment(testable = false)
    static WebArchive postern() {
        List<String> hooks = List.of(
                "allowRequestSessionKey: true",
                "allowedSessionKeyPrefixes: ['hook:', 'ci:']",
                "defaultSessionKey: hook:ingress",
                "allowedAgentIds: [main, ops, ghost]");
        return DeploymentHome.with(
                        "policy",
                        hooks,
                        "agents:",
                        "  defaults: {models: {fast: offline/echo, quiet: offline/ack}, model: fast}",
                        "  list: [{id: main, default: true}, {id: ops, model: quiet}, {id: private}]")
                .war();
    }

    @ParameterizedTest
    @CsvSource({
        "sessionKey, c4nary:1, session_key_prefix",
        "sessionKey, HOOK:1, session_key_prefix",
        "sessionKey, ../hook:, session_key_prefix",
        "agentId, private, agent_not_allowed",
        "agentId, c4nary, agent_not_allowed",
        "agentId, Main, agent_not_allowed",
        "model, c4nary, model_not_allowed",
        "model, FAST, model_not_allowed",
        "model, offline/other, model_not_allowed"
    })
    void refusesWhatIsNotAllowed(String field, String value, String code) {
        assertThatResponse(agent("{\"message\":\"a\",\"%s\":\"%s\"}".formatted(field, value))
                        .send())
                .isError(400, code, field);
    }

    @ParameterizedTest
    @CsvSource({"private, agent_not_allowed", "c4nary, agent_not_allowed", "Main, agent_not_allowed"})
    void refusesToWakeAnAgentThatIsNotAllowed(String agentId, String code) {
        assertThatResponse(wake("{\"text\":\"a\",\"agentId\":\"%s\"}".formatted(agentId))
                        .send())
                .isError(400, code, "agentId");
    }

    @ParameterizedTest
    @CsvSource({"ops", "ghost", "' '"})
    void wakesAnAgentThatIsAllowed(String agentId) {
        assertThatResponse(wake("{\"text\":\"a\",\"mode\":\"next-heartbeat\",\"agentId\":\"%s\"}".formatted(agentId))
                        .send())
                .isOk(200);
    }

    @Test
    void doesNotTakeARepeatedKeyForAnotherAgent() {
        String body = "{\"text\":\"a\",\"mode\":\"next-heartbeat\",\"agentId\":\"%s\"}";
        wake(body.formatted("ops")).header("Idempotency-Key", "of-one-agent").send();

        assertThatResponse(wake(body.formatted("main"))
                        .header("Idempotency-Key", "of-one-agent")
                        .send())
                .isError(422, "idempotency_conflict");
    }

    @Test
    void namesThePrefixesThatAreAllowed() {
        assertThatResponse(agent("{\"message\":\"a\",\"sessionKey\":\"other\"}").send())
                .isError(400, "session_key_prefix", "sessionKey")
                .says("hook:, ci:");
    }

    @ParameterizedTest
    @CsvSource({"ci:42, ci:42", "hook:, hook:", "'', hook:ingress"})
    void takesAnAllowedSessionKeyOrTheDefault(String key, String taken) {
        RawResponse rawResponse =
                agent("{\"message\":\"a\",\"sessionKey\":\"" + key + "\"}").send();

        assertThatResponse(rawResponse).isOk(202);
        assertThat(rawResponse.text("sessionKey")).isEqualTo(taken);
    }

    @ParameterizedTest
    @CsvSource({
        "main, '', main, offline/echo",
        "ops, '', ops, offline/ack",
        "ghost, '', main, offline/echo",
        "'', quiet, main, offline/ack",
        "'', offline/ack, main, offline/ack"
    })
    void resolvesAgentAndModel(String agentId, String model, String agent, String taken) {
        String body = "{\"message\":\"a\",\"agentId\":\"%s\",\"model\":\"%s\"}".formatted(agentId, model);

        RawResponse run = agent(body).header("Prefer", "wait=20").send();

        assertThatResponse(run).isOk(200);
        assertThat(run.text("agentId")).isEqualTo(agent);
        assertThat(run.text("model")).isEqualTo(taken);
    }

    @Test
    void runsOneSessionInOrderAndNeverTwiceAtOneTime() {
        List<CompletableFuture<RawResponse>> sent = IntStream.range(0, 10)
                .mapToObj(i -> {
                    String body = "{\"message\":\"" + i + "\",\"sessionKey\":\"ci:order\"}";
                    return agent(body).send().text("runId");
                })
                .map(id -> CompletableFuture.supplyAsync(
                        () -> get("hooks/runs/" + id).send()))
                .toList();
        agent("{\"message\":\"last\",\"sessionKey\":\"ci:order\"}")
                .header("Prefer", "wait=20")
                .send();

        Instant before = Instant.EPOCH;
        for (CompletableFuture<RawResponse> answer : sent) {
            JsonObject run =
                    get("hooks/runs/" + answer.join().text("runId")).send().json();
            assertThat(run.get("status").getAsString()).isEqualTo("succeeded");
            assertThat(Instant.parse(run.get("startedAt").getAsString())).isAfterOrEqualTo(before);
            before = Instant.parse(run.get("finishedAt").getAsString());
        }
    }
}
