package dev.postern.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postern.model.ErrorCode;
import dev.postern.model.HookAction;
import dev.postern.model.HookAction.AgentTurn;
import dev.postern.model.HookAction.KeySource;
import dev.postern.model.HookAction.Wake;
import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import dev.postern.model.OperatorInstructions;
import dev.postern.model.Provenance;
import dev.postern.model.Rejection;
import dev.postern.model.WakeMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HookRegistryTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HookRegistry MAPPINGS = new HookRegistry(List.of());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "wake  | {}                                      | text",
                "wake  | {'text':null}                           | text",
                "wake  | {'text':''}                             | text",
                "wake  | {'text':'  '}                           | text",
                "wake  | {'text':5}                              | text",
                "wake  | {'text':['a']}                          | text",
                "wake  | {'text':'a','mode':'later'}             | mode",
                "wake  | {'text':'a','mode':'NOW'}               | mode",
                "wake  | {'text':'a','mode':''}                  | mode",
                "wake  | {'text':'a','mode':true}                | mode",
                "wake  | {'text':'a','idempotencyKey':7}         | idempotencyKey",
                "agent | {}                                      | message",
                "agent | {'message':' '}                         | message",
                "agent | {'message':'\\u00a0\\u3000'}             | message",
                "agent | {'message':'\\u200b\\ufeff\\u2060'}       | message",
                "wake  | {'text':'\\u0085\\u2028\\u200f\\u0000'}    | text",
                "agent | {'message':{}}                          | message",
                "agent | {'message':'m','name':1}                | name",
                "agent | {'message':'m','agentId':1}             | agentId",
                "agent | {'message':'m','sessionKey':[]}         | sessionKey",
                "agent | {'message':'m','wakeMode':'soon'}       | wakeMode",
                "agent | {'message':'m','deliver':'false'}       | deliver",
                "agent | {'message':'m','deliver':0}             | deliver",
                "agent | {'message':'m','channel':1}             | channel",
                "agent | {'message':'m','to':1}                  | to",
                "agent | {'message':'m','model':{}}              | model",
                "agent | {'message':'m','thinking':false}        | thinking",
                "agent | {'message':'m','timeoutSeconds':'10'}   | timeoutSeconds",
                "agent | {'message':'m','timeoutSeconds':0}      | timeoutSeconds",
                "agent | {'message':'m','timeoutSeconds':-1}     | timeoutSeconds",
                "agent | {'message':'m','timeoutSeconds':true}   | timeoutSeconds",
                "agent | {'message':'m','idempotencyKey':false}  | idempotencyKey"
            })
    void refusesAFieldThatIsMissingOrWrongAndNamesIt(String hook, String payload, String field) {
        Rejection rejection = rejection(hook, payload);

        assertThat(rejection.code()).isEqualTo(ErrorCode.INVALID_PAYLOAD);
        assertThat(rejection.field()).isEqualTo(field);
        assertThat(rejection.sentence()).startsWith(field);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "['a']", "'text'", "5", "true", "null"})
    void refusesAPayloadThatIsNoObject(String payload) {
        assertThat(rejection("wake", payload)).isEqualTo(Rejection.invalid(null, "The body must be a JSON object."));
        assertThat(rejection("agent", payload).field()).isNull();
    }

    @Test
    void namesTheFirstFieldAtFault() {
        assertThat(rejection("agent", "{'message':7,'deliver':'x'}").field()).isEqualTo("message");
    }

    @Test
    void knowsNoOtherHook() {
        assertThat(map("github", "{}")).isEqualTo(MappingResult.of(new HookResult.NoSuchHook()));
    }

    @Test
    void readsAWakeAndTrimsIt() {
        assertThat(action("wake", "{'text':'  it rains ','mode':'next-heartbeat','color':'blue'}"))
                .isEqualTo(new Wake("it rains", WakeMode.NEXT_HEARTBEAT, null, Provenance.untrusted("wake")));
    }

    @Test
    void namesAnAgentOfAWakeThatIsNoString() {
        assertThat(rejection("wake", "{'text':'a','agentId':['ops']}").field()).isEqualTo("agentId");
    }

    @Test
    void readsTheAgentOfAWake() {
        assertThat(((Wake) action("wake", "{'text':'a','agentId':' ops '}")).agentId())
                .isEqualTo("ops");
        assertThat(((Wake) action("wake", "{'text':'a','agentId':' '}")).agentId())
                .isNull();
    }

    @Test
    void wakesNowUnlessToldOtherwise() {
        assertThat(((Wake) action("wake", "{'text':'a','mode':null}")).mode()).isEqualTo(WakeMode.NOW);
    }

    @Test
    void doesNotTakeANameInOtherLettersForTheField() {
        assertThat(rejection("wake", "{'Text':'a'}").field()).isEqualTo("text");
    }

    @Test
    void fillsInWhatAnAgentActionLeavesOpen() {
        assertThat(action("agent", "{'message':' do it '}"))
                .isEqualTo(new AgentTurn(
                        /* message= */ "do it",
                        /* name= */ "Hook",
                        /* agentId= */ null,
                        /* sessionKey= */ null,
                        /* sessionKeySource= */ KeySource.REQUEST,
                        /* wakeMode= */ WakeMode.NOW,
                        /* deliver= */ true,
                        /* channel= */ "last",
                        /* to= */ null,
                        /* model= */ null,
                        /* thinking= */ null,
                        /* timeout= */ null,
                        /* provenance= */ Provenance.untrusted("agent"),
                        /* operatorInstructions= */ OperatorInstructions.NONE));
    }

    @Test
    void takesBlankOptionalFieldsAsAbsent() {
        assertThat(
                        action(
                                "agent",
                                "{'message':'m','name':' ','agentId':'','sessionKey':' ','to':'','model':'','thinking':' ','channel':''}"))
                .isEqualTo(action("agent", "{'message':'m'}"));
    }

    @Test
    void trimsEverySpaceButNothingThatBelongsToACharacter() {
        String flag = "\uD83C\uDFF4\uDB40\uDC67\uDB40\uDC62\uDB40\uDC65\uDB40\uDC6E\uDB40\uDC67\uDB40\uDC7F";

        assertThat(((Wake) action("wake", "{'text':'\u00a0\u3000" + flag + "\u2028\u202f'}")).text())
                .isEqualTo(flag);
        assertThat(((AgentTurn) action("agent", "{'message':'m','to':'\u200b\u00a0'}")).to())
                .isNull();
    }

    @Test
    void readsEveryFieldOfAnAgentAction() {
        assertThat(action(
                        "agent",
                        "{'message':'m','name':'CI','agentId':'ops','sessionKey':'hook:1','wakeMode':'next-heartbeat',"
                                + "'deliver':false,'channel':'slack','to':'C1','model':'a/b','thinking':'high',"
                                + "'timeoutSeconds':1.5}"))
                .isEqualTo(new AgentTurn(
                        /* message= */ "m",
                        /* name= */ "CI",
                        /* agentId= */ "ops",
                        /* sessionKey= */ "hook:1",
                        /* sessionKeySource= */ KeySource.REQUEST,
                        /* wakeMode= */ WakeMode.NEXT_HEARTBEAT,
                        /* deliver= */ false,
                        /* channel= */ "slack",
                        /* to= */ "C1",
                        /* model= */ "a/b",
                        /* thinking= */ "high",
                        /* timeout= */ Duration.ofMillis(1500),
                        /* provenance= */ Provenance.untrusted("agent"),
                        /* operatorInstructions= */ OperatorInstructions.NONE));
    }

    @ParameterizedTest
    @CsvSource({"0.0001,1", "1,1000", "86400,86400000", "0.25,250"})
    void roundsSecondsUpToAMillisecond(String seconds, long millis) {
        AgentTurn turn = (AgentTurn) action("agent", "{'message':'m','timeoutSeconds':" + seconds + "}");

        assertThat(turn.timeout()).isEqualTo(Duration.ofMillis(millis));
    }

    @Test
    void leavesASenselesslyLongTimeForPolicyToRefuse() {
        AgentTurn turn = (AgentTurn) action("agent", "{'message':'m','timeoutSeconds':1e999999}");

        assertThat(turn.timeout()).isGreaterThan(Duration.ofDays(1));
    }

    @Test
    void readsThePayloadsIdempotencyKey() {
        MappingResult.Actions mapped = (MappingResult.Actions) map("wake", "{'text':'a','idempotencyKey':'k'}");

        assertThat(mapped.idempotencyKey()).isEqualTo("k");
    }

    private static Rejection rejection(String hook, String payload) {
        return ((HookResult.Rejected) MappingFixture.result(map(hook, payload))).rejection();
    }

    private static HookAction action(String hook, String payload) {
        return ((MappingResult.Actions) map(hook, payload)).actions().get(0);
    }

    private static MappingResult map(String hook, String payload) {
        try {
            HookRequest request = HookRequest.bare(hook, new byte[0], null, Instant.EPOCH);
            return MAPPINGS.map(request, JSON.readTree(payload.replace('\'', '"')));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(payload, e);
        }
    }
}
