package dev.postern.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.ingress.Explanation;
import dev.postern.ingress.ExplanationJson;
import dev.postern.mapping.MappingResult;
import dev.postern.model.ErrorCode;
import dev.postern.model.HookAction;
import dev.postern.model.HookResult;
import dev.postern.model.IdGenerator;
import dev.postern.model.NothingReason;
import dev.postern.model.Provenance;
import dev.postern.model.Receipt;
import dev.postern.model.Rejection;
import dev.postern.model.WakeMode;
import dev.postern.policy.PolicyDecision;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ExplainedStatusTest {

    private final ResultResponses resultResponses =
            new ResultResponses("/hooks", ResponseRecorderFixture.newRecorder());

    /** The result of a mapping, and the result of the request that it belongs to. */
    record ExplainedResult(MappingResult mapped, HookResult outcome) {}

    static Stream<ExplainedResult> told() {
        IdGenerator idGenerator = new IdGenerator(InstantSource.system());
        Rejection rejection = Rejection.invalid("text", "text is required.");
        HookAction wake = new HookAction.Wake("x", WakeMode.NOW, null, Provenance.untrusted("a"));
        Receipt event = new Receipt.Event(idGenerator.event(), WakeMode.NOW);
        return Stream.of(
                new ExplainedResult(
                        new MappingResult.Actions(List.of(wake), false, "", null, true),
                        new HookResult.Accepted(List.of(event), false, false, true, 0, null)),
                new ExplainedResult(
                        new MappingResult.Actions(List.of(wake), false, "", null, true, null, 201),
                        new HookResult.Accepted(List.of(event), false, false, true, 0, 201)),
                told(new HookResult.Nothing()),
                told(new HookResult.Nothing(NothingReason.MAPPING, null, 200)),
                told(new HookResult.Handshake("challenge", "c")),
                told(new HookResult.NoSuchHook()),
                told(new HookResult.Rejected(rejection)),
                told(new HookResult.ScriptFailed("it failed.", "")),
                told(new HookResult.Busy("it is busy.", Duration.ofSeconds(1))));
    }

    private static ExplainedResult told(HookResult result) {
        return new ExplainedResult(MappingResult.of(result), result);
    }

    @ParameterizedTest
    @MethodSource("told")
    void answersWithTheStatusAndTheCodeThatExplainTells(ExplainedResult explainedResult) {
        JsonNode explained = ExplanationJson.of(new Explanation(
                List.of(), List.of(), explainedResult.mapped(), false, List.of(), Duration.ofMillis(1)));
        Response answer = resultResponses.of(explainedResult.outcome());

        assertThat(answer.getStatus()).isEqualTo(explained.path("status").asInt());
        @Nullable Object body = answer.hasEntity() ? answer.getEntity() : null;
        String reason = explainedResult.outcome() instanceof HookResult.Nothing nothing ? nothing.code() : "";
        assertThat(body instanceof ErrorBody error ? error.code() : reason)
                .isEqualTo(explained.path("code").asText());
    }

    @ParameterizedTest
    @EnumSource
    void explainsTheRejectionOfAPolicyByItsOwnStatus(ErrorCode reason) {
        HookAction wake = new HookAction.Wake("x", WakeMode.NOW, null, Provenance.untrusted("a"));
        Rejection rejection = new Rejection(reason, "sessionKey", "No.");
        JsonNode explained = ExplanationJson.of(new Explanation(
                List.of(),
                List.of(),
                new MappingResult.Actions(List.of(wake), false, "", null, true),
                false,
                List.of(new Explanation.Decided(new PolicyDecision.Denied(rejection), List.of(), List.of())),
                Duration.ofMillis(1)));

        assertThat(explained.path("status").asInt())
                .isEqualTo(
                        resultResponses.of(new HookResult.Rejected(rejection)).getStatus());
    }

    @Test
    void knowsEveryResultThatDoesNotComeOfAcceptance() {
        Stream<Class<?>> ofAcceptance = Stream.of(
                HookResult.IdempotencyConflict.class,
                HookResult.Superseded.class,
                HookResult.Overloaded.class,
                HookResult.BudgetSpent.class,
                HookResult.Unavailable.class,
                HookResult.Uncertain.class);

        assertThat(Stream.concat(
                        told().map(explainedResult -> explainedResult.outcome().getClass())
                                .distinct(),
                        ofAcceptance))
                .containsExactlyInAnyOrderElementsOf(
                        ResultResponsesTest.records(HookResult.class).toList());
    }

    @ParameterizedTest
    @EnumSource
    void namesTheFieldAtFaultUnderTheReasonsOwnCode(ErrorCode reason) {
        @Nullable
        Object body = resultResponses
                .of(new HookResult.Rejected(new Rejection(reason, "to", "No.")))
                .getEntity();

        assertThat(body).isEqualTo(new ErrorBody(false, "No.", reason.wire(), "to"));
    }
}
