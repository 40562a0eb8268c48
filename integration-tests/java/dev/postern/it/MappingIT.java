package dev.postern.it;

import static dev.postern.it.ResponseAssert.assertThatResponse;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.util.List;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;

/** A test of the actions that mappings make of payloads. */
class MappingIT extends DeploymentFixture {

    @Deployment(testable = false)
    static WebArchive postern() {
        DeploymentHome home = DeploymentHome.with(
                "mapped",
                List.of(
                        "allowedSessionKeyPrefixes: ['hook:']",
                        "tokenHeaders: [x-other-token]",
                        "mappings:",
                        "  - {id: by-header, match: {path: deploys, headers: {X-Kind: failed}},"
                                + " messageTemplate: 'failed ${payload.service}'}",
                        "  - {id: by-source, match: {source: cron}, action: wake, textTemplate: 'cron says {{text}}'}",
                        "  - {id: by-path, match: {path: /deploys/}, messageTemplate: 'deployed ${payload.service}"
                                + " ${payload.build.number} of ${payload.missing.deeper} ${payload.build} ${query.env}"
                                + " ${headers.authorization}${headers[\"x-other-token\"]}${headers.cookie}',"
                                + " sessionKey: 'hook:deploys:${payload.service}', name: 'Deploys',"
                                + " idempotencyKey: '${headers[\"x-delivery\"]}'}",
                        "  - {id: orders, match: {path: orders}, messageTemplate: 'x', idempotencyKey: '${payload.id}'}",
                        "  - {id: refunds, match: {path: refunds}, messageTemplate: 'x',"
                                + " idempotencyKey: '${payload.id}'}",
                        "  - {id: clock, match: {path: clock}, messageTemplate: '{{now}}'}",
                        "  - {id: shadowed, match: {path: deploys}, messageTemplate: 'never'}",
                        "  - {id: each, match: {path: alerts}, forEach: alerts,"
                                + " messageTemplate: '${index}: ${item.title}', sessionKey: 'hook:alert:${item.id}'}",
                        "  - {id: each-wake, match: {path: lines}, action: wake, forEach: lines,"
                                + " textTemplate: '${item}'}",
                        "  - {id: scripted, match: {path: scripted/deep}, messageTemplate: 'from the template',"
                                + " transform: {module: shape.ts}}",
                        "  - {id: strict, match: {path: strict}, successStatus: 200, idempotencyKey: '${payload.id!}',"
                                + " messageTemplate: '<#if payload.none??><#stop></#if>${payload.id!}'}",
                        "  - {id: created, match: {path: created}, successStatus: 201, action: wake, textTemplate: x}",
                        "  - {id: fails, match: {path: faulty}, messageTemplate: '${payload.n?number + 1}'}"));
        home.write(
                "hooks/transforms/shape.ts",
                """
                import { label } from './label';
                interface Issue { title: string; skip?: boolean; fail?: boolean; wake?: boolean; bad?: boolean }
                export default async function ({ payload, path, now, headers }: any) {
                  const issue: Issue = payload;
                  if (issue.skip) return null;
                  if (issue.fail) throw new Error('c4nary ' + issue.title);
                  if (issue.wake) return { action: 'wake', text: label(issue.title) };
                  if (issue.bad) return { message: 7 };
                  return issue.title ? { message: `${label(issue.title)} ${path} ${headers['x-kind']}` } : undefined;
                }
                """);
        home.write("hooks/transforms/label.ts", "export const label = (text: string) => `[${text}]`;\n");
        return home.war();
    }

    @Test
    void answersAHookThatNoMappingTakesWith404() {
        assertThatResponse(post("hooks/other", "{}").send()).isError(404, "not_found");
    }

    @Test
    void answersAPathThatIsLongerThanAnyHookWith404() {
        String longest = "p".repeat(1_000);
        String payload = "{\"source\":\"cron\",\"text\":\"on a long path\"}";

        assertThatResponse(post("hooks/" + longest + "p", payload).send()).isError(404, "not_found");
        assertThat(post("hooks/" + longest, payload).send().status()).isEqualTo(200);
    }

    @Test
    void asksEveryMappedHookForTheToken() {
        assertThatResponse(to("hooks/deploys").method("POST", "{}").send()).isError(401, "unauthorized");
    }

    @Test
    void letsTheFirstMappingDecideThatTakesThePayload() {
        assertThat(message(post("hooks/deploys", "{\"service\":\"shop\"}").header("x-kind", "failed")))
                .isEqualTo("failed shop");
        assertThat(message(post("hooks/deploys", "{\"service\":\"shop\"}").header("x-kind", "other")))
                .startsWith("deployed shop");
    }

    @Test
    void takesAPayloadByItsSourceWhateverThePath() {
        RawResponse rawResponse = post("hooks/whatever/else", "{\"source\":\"cron\",\"text\":\"tick\"}")
                .send();

        assertThatResponse(rawResponse).isOk(200);
        assertThat(rawResponse.text("eventId")).isNotEmpty();
    }

    @Test
    void rendersWhatIsMissingEmptyAndObjectsAsJsonAndNoCredential() {
        Request request = post("hooks/deploys?env=prod&env=test", "{\"service\":\"shop\",\"build\":{\"number\":1.10}}")
                .header("x-other-token", Request.CANARY)
                .header("Cookie", "a=" + Request.CANARY);

        assertThat(message(request)).isEqualTo("deployed shop 1.10 of  {\"number\":1.10} prod");
    }

    @Test
    void tellsTheTimeToTheMillisecond() {
        assertThat(message(post("hooks/clock", "{}")))
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?Z");
    }

    @Test
    void namesTheSessionByItsTemplate() {
        RawResponse rawResponse =
                post("hooks/deploys", "{\"service\":\"shop\"}").send();

        assertThatResponse(rawResponse).isOk(202);
        assertThat(rawResponse.text("sessionKey")).isEqualTo("hook:deploys:shop");
        assertThatResponse(rawResponse)
                .hasHeader("Location", site().getRawPath() + "hooks/runs/" + rawResponse.text("runId"));
    }

    @Test
    void keepsTheSendersDeliveryIdAsIdempotencyKey() {
        RawResponse first = post("hooks/deploys", "{\"service\":\"once\"}")
                .header("x-delivery", "d-1")
                .send();
        RawResponse again = post("hooks/deploys", "{\"service\":\"once\"}")
                .header("x-delivery", "d-1")
                .send();
        RawResponse other = post("hooks/deploys", "{\"service\":\"more\"}")
                .header("x-delivery", "d-1")
                .send();

        assertThatResponse(again).isOk(202).hasHeader("Idempotent-Replayed", "true");
        assertThat(again.text("runId")).isEqualTo(first.text("runId"));
        assertThatResponse(other).isOk(202).hasHeader("Idempotent-Replayed", "true");
        assertThat(other.body()).isEqualTo(first.body());
    }

    @Test
    void keepsTheKeysOfEachMappingApart() {
        String id = "{\"id\":42}";
        RawResponse first = post("hooks/orders", id).send();
        RawResponse second =
                post("hooks/refunds", "{\"id\":42,\"why\":\"broken\"}").send();
        RawResponse again = post("hooks/orders", id).send();

        assertThatResponse(second).isOk(202).hasNoHeader("Idempotent-Replayed");
        assertThat(again.body()).isEqualTo(first.body());
        assertThatResponse(wake("{\"text\":\"a\",\"idempotencyKey\":\"42\"}").send())
                .isOk(200)
                .hasNoHeader("Idempotent-Replayed");
    }

    @Test
    void takesKeysOfEveryAllowedLength() {
        String longest = "{\"id\":\"" + "k".repeat(254);
        RawResponse first = post("hooks/orders", longest + "1\"}").send();

        assertThatResponse(first).isOk(202);
        assertThatResponse(post("hooks/orders", longest + "1\"}").send()).hasHeader("Idempotent-Replayed", "true");
        assertThatResponse(post("hooks/orders", longest + "2\"}").send())
                .isOk(202)
                .hasNoHeader("Idempotent-Replayed");
        assertThatResponse(post("hooks/orders", longest + "12\"}").send())
                .isError(400, "invalid_payload", "idempotencyKey");
    }

    @Test
    void makesOneActionOfEachElement() {
        RawResponse rawResponse = post(
                        "hooks/alerts", "{\"alerts\":[{\"id\":1,\"title\":\"a\"},{\"id\":2,\"title\":\"b\"}]}")
                .send();

        assertThatResponse(rawResponse).isOk(202);
        JsonObject body = rawResponse.json();
        assertThat(body.get("accepted").getAsInt()).isEqualTo(2);
        assertThat(body.get("runIds").getAsJsonArray()).hasSize(2);
        String second = body.get("runIds").getAsJsonArray().get(1).getAsString();
        assertThat(get("hooks/runs/" + second).send().text("sessionKey")).isEqualTo("hook:alert:2");
    }

    @Test
    void answersARepeatedListAsTheFirstTimeHoweverShort() {
        String one = "{\"alerts\":[{\"id\":1,\"title\":\"a\"}]}";
        RawResponse first =
                post("hooks/alerts", one).header("Idempotency-Key", "one").send();
        RawResponse again = post("hooks/alerts", one)
                .header("Idempotency-Key", "one")
                .header("Prefer", "wait=5")
                .send();

        assertThat(first.json().get("runIds").getAsJsonArray()).hasSize(1);
        assertThatResponse(again).isOk(202).hasHeader("Idempotent-Replayed", "true");
        assertThat(again.body()).isEqualTo(first.body());
    }

    @Test
    void takesThePayloadsIdempotencyKeyAsWell() {
        String body = "{\"source\":\"cron\",\"text\":\"tick\",\"idempotencyKey\":\"tick-1\"}";
        RawResponse first = post("hooks/cron", body).send();

        assertThat(post("hooks/cron", body).send().body()).isEqualTo(first.body());
        assertThatResponse(post("hooks/cron", body.replace("tick\"", "tock\"")).send())
                .isError(422, "idempotency_conflict");
    }

    @Test
    void queuesAnEventForEachElementOfAWake() {
        RawResponse rawResponse =
                post("hooks/lines", "{\"lines\":[\"a\",\"b\",\"c\"]}").send();

        assertThatResponse(rawResponse).isOk(200);
        assertThat(rawResponse.json().get("accepted").getAsInt()).isEqualTo(3);
    }

    @Test
    void hasNothingToDoWithAnEmptyList() {
        assertThat(post("hooks/alerts", "{\"alerts\":[]}").send().status()).isEqualTo(204);
    }

    @Test
    void refusesAListThatIsNoneOrTooLong() {
        String tooMany = "{\"alerts\":[" + "{},".repeat(200) + "{}]}";

        assertThatResponse(post("hooks/alerts", "{}").send()).isError(400, "mapping_failed", "alerts");
        assertThatResponse(post("hooks/alerts", "{\"alerts\":{}}").send()).isError(400, "mapping_failed", "alerts");
        assertThatResponse(post("hooks/alerts", tooMany).send())
                .isError(400, "mapping_failed", "alerts")
                .says("200");
    }

    @Test
    void acceptsNothingOfAListOfWhichOneElementIsDenied() {
        String lastHasAKeyTooLong = "{\"alerts\":[{\"id\":1,\"title\":\"a\"},{\"id\":\"" + "x".repeat(300) + "\"}]}";
        long before = metrics().accepted();

        assertThatResponse(post("hooks/alerts", lastHasAKeyTooLong).send())
                .isError(400, "invalid_payload", "sessionKey");
        assertThat(metrics().accepted()).isEqualTo(before);
    }

    @Test
    void namesMappingAndLineOfFailingTemplateWithoutPayload() {
        assertThatResponse(post("hooks/faulty", "{\"n\":\"c4nary\"}").send())
                .isError(400, "mapping_failed")
                .says("[fails], messageTemplate, line 1");
    }

    @Test
    void laysAScriptsFieldsOverTheTemplates() {
        assertThat(message(post("hooks/scripted/deep", "{\"title\":\"t\"}").header("x-kind", "k")))
                .isEqualTo("[t] scripted/deep k");
        assertThat(message(post("hooks/scripted/deep", "{}"))).isEqualTo("from the template");
    }

    @Test
    void letsAScriptDropAPayloadOrMakeAWakeOfIt() {
        assertThat(post("hooks/scripted/deep", "{\"skip\":true}").send().status())
                .isEqualTo(204);
        assertThatResponse(post("hooks/scripted/deep", "{\"wake\":true,\"title\":\"t\"}")
                        .send())
                .isOk(200);
    }

    @Test
    void answersEachSuccessWithTheStatusThatTheMappingSets() {
        RawResponse first = post("hooks/strict", "{\"id\":\"a\"}").send();
        RawResponse again = post("hooks/strict", "{\"id\":\"a\"}").send();
        RawResponse nothing = post("hooks/strict", "{\"none\":true}").send();

        assertThatResponse(first).isOk(200);
        assertThatResponse(first).hasHeader("Location", site().getRawPath() + "hooks/runs/" + first.text("runId"));
        assertThatResponse(again).isOk(200).hasHeader("Idempotent-Replayed", "true");
        assertThat(again.body()).isEqualTo(first.body());
        assertThatResponse(nothing).isOk(200);
        assertThat(nothing.body()).isEqualTo("{\"ok\":true,\"status\":\"nothing\"}");
        assertThatResponse(post("hooks/created", "{}").send()).isOk(201);
        assertThatResponse(post("hooks/strict", "{").send()).isError(400, "invalid_json");
    }

    @Test
    void namesFileAndLineOfAScriptThatFailsAndNothingOfThePayload() {
        assertThatResponse(post("hooks/scripted/deep", "{\"fail\":true,\"title\":\"c4nary\"}")
                        .send())
                .isError(500, "mapping_failed")
                .says("shape.ts:6:");
        assertThatResponse(post("hooks/scripted/deep", "{\"bad\":true}").send()).isError(500, "mapping_failed");
    }

    /** What the offline backend was asked, which is what it answers. */
    private String message(Request request) {
        RawResponse rawResponse = request.header("Prefer", "wait=20").send();
        assertThatResponse(rawResponse).isOk(200);
        assertThat(rawResponse.text("reply")).startsWith("offline/echo: ");
        return rawResponse.text("reply").substring("offline/echo: ".length());
    }
}
