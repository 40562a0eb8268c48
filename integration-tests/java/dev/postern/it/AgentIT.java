package dev.postern.it;

import static dev.postern.it.ResponseAssert.assertThatResponse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import java.time.Instant;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of requests to {@code agent} and of runs, with default settings. */
class AgentIT extends DeploymentFixture {

    @Deployment(testable = false)
    static WebArchive postern() {
        return DeploymentHome.empty("agent").war();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{}", "", "{\"message\":null}", "{\"message\":\" \"}", "{\"message\":7}", "{\"text\":\"a\"}"})
    void namesTheMessageThatIsMissingOrNoText(String body) {
        assertThatResponse(agent(body).send()).isError(400, "invalid_payload", "message");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "name|7",
                "agentId|['main']",
                "agentId|'../x'",
                "agentId|'..'",
                "sessionKey|false",
                "wakeMode|'later'",
                "wakeMode|7",
                "deliver|'false'",
                "deliver|0",
                "deliver|'c4nary'",
                "channel|'c4nary'",
                "channel|7",
                "to|7",
                "model|7",
                "thinking|'c4nary'",
                "thinking|1",
                "timeoutSeconds|0",
                "timeoutSeconds|-1",
                "timeoutSeconds|86401",
                "timeoutSeconds|1e400",
                "timeoutSeconds|'60'",
                "timeoutSeconds|true",
                "idempotencyKey|7",
            })
    void namesTheFieldThatDoesNotFit(String field, String value) {
        String body = "{'message':'c4nary','%s':%s}".formatted(field, value).replace('\'', '"');

        assertThatResponse(agent(body).send()).isError(400, "invalid_payload", field);
    }

    @Test
    void refusesASessionKeyUnlessToldOtherwise() {
        assertThatResponse(
                        agent("{\"message\":\"a\",\"sessionKey\":\"c4nary\"}").send())
                .isError(400, "session_key_disabled", "sessionKey");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "\"c4nary\"", "null"})
    void refusesJsonThatIsNoObject(String body) {
        assertThatResponse(agent(body).send()).isError(400, "invalid_payload");
    }

    @Test
    void answersWithTheRunAndWhereItIs() {
        RawResponse rawResponse = agent("{\"message\":\"summarise the night\"}").send();

        assertThatResponse(rawResponse).isOk(202).hasNoHeader("Preference-Applied");
        assertThat(rawResponse.json().keySet()).containsExactly("ok", "status", "runId", "sessionKey");
        assertThat(rawResponse.text("status")).isEqualTo("accepted");
        assertThat(rawResponse.text("sessionKey")).startsWith("hook:");
        assertThatResponse(rawResponse)
                .hasHeader("Location", site().getPath() + "hooks/runs/" + rawResponse.text("runId"));
    }

    @Test
    void givesRunsWithoutASessionKeyASessionEach() {
        String body = "{\"message\":\"a\"}";

        assertThat(agent(body).send().text("sessionKey"))
                .isNotEqualTo(agent(body).send().text("sessionKey"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'name':null,'agentId':null,'sessionKey':null,'wakeMode':null,'deliver':null,'channel':null",
                "'to':null,'model':null,'thinking':null,'timeoutSeconds':null,'idempotencyKey':null",
                "'agentId':' ','sessionKey':'','to':'','model':' ','thinking':''",
                "'agentId':'nobody-knows-me'",
                "'agentId':'ops team'",
                "'agentId':'\\u0430\\u0433\\u0435\\u043d\\u0442'",
                "'wakeMode':'next-heartbeat','deliver':false,'timeoutSeconds':0.5,'thinking':'high'",
                "'channel':'whatsapp','to':'+4917012345'",
                "'model':'nowhere/nothing'",
                "'timeoutSeconds':86400,'unknown':{'field':[1]}",
                "'allowUnsafeExternalContent':true"
            })
    void takesATurn(String fields) {
        String body = "{'message':'hello',%s}".formatted(fields).replace('\'', '"');

        assertThatResponse(agent(body).send()).isOk(202);
    }

    @Test
    void knowsNoRunOfAnotherId() {
        assertThatResponse(get("hooks/runs/c4nary").send()).isError(404, "not_found");
    }

    @Test
    void tellsWhatBecameOfARun() {
        Instant before = Instant.now().minusSeconds(1);
        RawResponse accepted =
                agent("{\"message\":\"hello there\",\"name\":\"Build\"}").send();

        JsonObject run = ended(accepted.text("runId"));

        assertThat(run.get("ok").getAsBoolean()).isTrue();
        assertThat(run.get("status").getAsString()).isEqualTo("succeeded");
        assertThat(run.get("agentId").getAsString()).isEqualTo("main");
        assertThat(run.get("sessionKey").getAsString()).isEqualTo(accepted.text("sessionKey"));
        assertThat(run.get("model").getAsString()).isEqualTo("offline/echo");
        assertThat(run.get("attempts").getAsInt()).isEqualTo(1);
        assertThat(run.get("reply").getAsString()).contains("hello there");
        assertThat(time(run, "acceptedAt")).isAfter(before).isBeforeOrEqualTo(time(run, "startedAt"));
        assertThat(time(run, "finishedAt")).isAfterOrEqualTo(time(run, "startedAt"));
        assertThat(run.has("error")).isFalse();
    }

    @Test
    void delivers() {
        RawResponse accepted =
                agent("{\"message\":\"tell me\",\"channel\":\"inbox\"}").send();

        await().untilAsserted(() -> {
            JsonObject run = run(accepted.text("runId"));
            assertThat(run.get("delivery").getAsString()).isEqualTo("delivered");
            assertThat(run.getAsJsonArray("deliveries")
                            .get(0)
                            .getAsJsonObject()
                            .get("channel")
                            .getAsString())
                    .isEqualTo("inbox");
        });
    }

    @ParameterizedTest
    @CsvSource({"false, offline/echo, none", "true, offline/ack, suppressed"})
    void deliversNothing(boolean deliver, String model, String outcome) {
        RawResponse accepted = agent(
                        "{\"message\":\"quiet\",\"deliver\":%s,\"model\":\"%s\"}".formatted(deliver, model))
                .send();

        assertThat(ended(accepted.text("runId")).get("delivery").getAsString()).isEqualTo(outcome);
    }

    @Test
    void saysWhatToConfigureForAModelThatIsNotThere() {
        RawResponse accepted =
                agent("{\"message\":\"a\",\"model\":\"nowhere/nothing\"}").send();

        JsonObject run = ended(accepted.text("runId"));

        assertThat(run.get("status").getAsString()).isEqualTo("failed");
        assertThat(run.get("error").getAsString()).contains("nowhere");
    }

    @Test
    void saysWhatToConfigureForAChannelThatIsNotThere() {
        RawResponse accepted =
                agent("{\"message\":\"a\",\"channel\":\"slack\",\"to\":\"C1\"}").send();

        await().untilAsserted(() -> {
            JsonObject run = run(accepted.text("runId"));
            assertThat(run.get("delivery").getAsString()).isEqualTo("failed");
            assertThat(run.getAsJsonArray("deliveries")
                            .get(0)
                            .getAsJsonObject()
                            .get("reason")
                            .getAsString())
                    .contains("slack");
        });
    }

    private JsonObject ended(String id) {
        return await().until(
                        () -> run(id), run -> !run.get("status").getAsString().matches("queued|running"));
    }

    private JsonObject run(String id) {
        RawResponse rawResponse = get("hooks/runs/" + id).send();
        assertThatResponse(rawResponse).isOk(200);
        return rawResponse.json();
    }

    private static Instant time(JsonObject run, String field) {
        return Instant.parse(run.get(field).getAsString());
    }
}
