package dev.postern.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postern.acceptance.RunQueries;
import dev.postern.channel.DeliveryQueries;
import dev.postern.model.DeliveryState;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.model.SessionKey;
import dev.postern.model.TurnRecord;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConsoleJsonMapperTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final RunId RUN = new RunId("run_1");
    private static final SessionKey SESSION = new SessionKey("a");
    private static final Instant NOW = Instant.EPOCH;

    @Test
    void namesRunAsHooksDo() throws JsonProcessingException {
        TurnRecord.ToolCall call = new TurnRecord.ToolCall("files", "read", 2, 3, 40, TurnRecord.Outcome.OK);
        TurnRecord turn = new TurnRecord(1_300, null, null, null, null, List.of(call), List.of(), null, null);
        RunView.Delivery delivery =
                new RunView.Delivery("slack", null, DeliveryState.DELIVERED, 1, 1, 1, List.of(), null);
        RunView run = new RunView(
                /* id= */ RUN,
                /* state= */ RunState.SUCCEEDED,
                /* agentId= */ "main",
                /* sessionKey= */ SESSION,
                /* sender= */ null,
                /* model= */ "offline/echo",
                /* askedModel= */ null,
                /* attempts= */ 1,
                /* acceptedAt= */ NOW,
                /* startedAt= */ null,
                /* finishedAt= */ null,
                /* reply= */ null,
                /* error= */ null,
                /* retryAt= */ null,
                /* retryReason= */ null,
                /* waits= */ 0,
                /* heldBy= */ null,
                /* collectingUntil= */ null,
                /* items= */ 1,
                /* traceId= */ null,
                turn,
                /* delivery= */ DeliveryState.DELIVERED,
                /* deliveries= */ List.of(delivery));

        assertThat(json(run))
                .isEqualTo(
                        JSON.readTree(
                                """
                                {"runId": "run_1", "status": "succeeded", "agentId": "main", "sessionKey": "a",
                                 "model": "offline/echo", "attempts": 1, "acceptedAt": "1970-01-01T00:00:00Z",
                                 "items": 1, "turn": {"durationMs": 1300, "notes": [],
                                   "toolCalls": [{"server": "files", "tool": "read", "status": "ok",
                                     "argumentBytes": 2, "resultBytes": 3, "durationMs": 40}]},
                                 "delivery": "delivered",
                                 "deliveries": [{"channel": "slack", "status": "delivered", "attempts": 1,
                                   "parts": 1, "sentParts": 1, "messageIds": []}]}
                                """));
    }

    @Test
    void namesRunInListAsHooksDo() throws JsonProcessingException {
        RunQueries.Line run = new RunQueries.Line(
                /* id= */ RUN,
                /* state= */ RunState.QUEUED,
                /* agentId= */ "main",
                /* session= */ SESSION,
                /* hook= */ "agent",
                /* name= */ "CI",
                /* attempts= */ 0,
                /* acceptedAt= */ NOW,
                /* startedAt= */ null,
                /* finishedAt= */ null,
                /* error= */ null,
                /* heldBy= */ null);

        assertThat(json(run))
                .isEqualTo(
                        JSON.readTree(
                                """
                                {"runId": "run_1", "status": "queued", "agentId": "main", "sessionKey": "a",
                                 "hook": "agent", "name": "CI", "attempts": 0, "acceptedAt": "1970-01-01T00:00:00Z"}
                                """));
    }

    @Test
    void namesDeliveryInListAsHooksDo() throws JsonProcessingException {
        DeliveryQueries.Line delivery = new DeliveryQueries.Line(
                /* id= */ "dlv_1",
                /* number= */ 7,
                /* runId= */ RUN,
                /* aboutRun= */ null,
                /* agentId= */ "main",
                /* hook= */ null,
                /* event= */ null,
                /* requestId= */ null,
                /* channel= */ "slack",
                /* to= */ null,
                /* state= */ DeliveryState.PENDING,
                /* attempts= */ 0,
                /* reason= */ null,
                /* createdAt= */ NOW,
                /* nextAt= */ null,
                /* finishedAt= */ null);

        assertThat(json(delivery))
                .isEqualTo(
                        JSON.readTree(
                                """
                                {"id": "dlv_1", "number": 7, "runId": "run_1", "agentId": "main", "channel": "slack",
                                 "status": "pending", "attempts": 0, "createdAt": "1970-01-01T00:00:00Z"}
                                """));
    }

    private static JsonNode json(Object shown) throws JsonProcessingException {
        return JSON.readTree(JSON.writeValueAsString(new ConsoleJsonMapper().tree(shown)));
    }
}
