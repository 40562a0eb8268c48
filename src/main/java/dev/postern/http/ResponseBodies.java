package dev.postern.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.postern.model.DeliveryView;
import dev.postern.model.Receipt;
import dev.postern.model.RunView;
import dev.postern.model.TurnRecord;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JSON bodies of responses without errors. Their components are the fields, in order. */
final class ResponseBodies {

    private ResponseBodies() {}

    /** @param coalesced the number of requests that have become the event so far; null unless the request joined others */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record WakeAccepted(boolean ok, String mode, String eventId, @Nullable Integer coalesced) {

        static WakeAccepted of(Receipt.Event event, int coalesced) {
            return new WakeAccepted(true, event.mode().wire(), event.id().value(), coalesced == 0 ? null : coalesced);
        }
    }

    /** @param coalesced the number of requests that have become the run so far; null unless the request joined others */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record TurnAccepted(boolean ok, String status, String runId, String sessionKey, @Nullable Integer coalesced) {

        static TurnAccepted of(Receipt.Run run, int coalesced) {
            return new TurnAccepted(
                    true, "accepted", run.id().value(), run.sessionKey().value(), coalesced == 0 ? null : coalesced);
        }
    }

    /** @param coalesced the number of requests that have become the delivery so far; null unless the request joined others */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record DeliveryAccepted(boolean ok, String status, String deliveryId, @Nullable Integer coalesced) {

        static DeliveryAccepted of(Receipt.Delivery delivery, int coalesced) {
            return new DeliveryAccepted(true, "accepted", delivery.name(), coalesced == 0 ? null : coalesced);
        }
    }

    /** The body of a response to a request that leads to nothing, where the status of its mapping has one. */
    record Nothing(boolean ok, String status) {

        static final Nothing BODY = new Nothing(true, "nothing");
    }

    /**
     * The receipt of several actions that one payload asked for.
     *
     * @param deliveryIds null if there are none
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record FanOut(
            boolean ok, int accepted, List<String> runIds, List<String> eventIds, @Nullable List<String> deliveryIds) {

        static FanOut of(List<Receipt> receipts) {
            List<String> runs = new ArrayList<>();
            List<String> events = new ArrayList<>();
            List<String> deliveries = new ArrayList<>();
            for (Receipt receipt : receipts) {
                if (receipt instanceof Receipt.Run run) {
                    runs.add(run.id().value());
                } else if (receipt instanceof Receipt.Delivery delivery) {
                    deliveries.add(delivery.name());
                } else {
                    events.add(((Receipt.Event) receipt).id().value());
                }
            }
            return new FanOut(true, receipts.size(), runs, events, deliveries.isEmpty() ? null : deliveries);
        }
    }

    /** A delivery without an agent, with its state. Values that do not exist yet are absent; times are ISO 8601 in UTC. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record DirectDelivery(
            boolean ok,
            String deliveryId,
            String status,
            @Nullable String sender,
            String channel,
            @Nullable String to,
            int attempts,
            String acceptedAt,
            @Nullable String nextAttemptAt,
            @Nullable String finishedAt,
            @Nullable String collectingUntil,
            @Nullable Integer items,
            int parts,
            int sentParts,
            List<String> messageIds,
            @Nullable String reason) {

        static DirectDelivery of(DeliveryView delivery) {
            return new DirectDelivery(
                    /* ok= */ true,
                    /* deliveryId= */ delivery.id(),
                    /* status= */ delivery.state().wire(),
                    delivery.sender(),
                    delivery.recipient().channel(),
                    delivery.recipient().to(),
                    delivery.attempts(),
                    /* acceptedAt= */ delivery.acceptedAt().toString(),
                    /* nextAttemptAt= */ text(delivery.nextAt()),
                    /* finishedAt= */ text(delivery.finishedAt()),
                    /* collectingUntil= */ text(delivery.collectingUntil()),
                    /* items= */ delivery.items() == 1 && delivery.collectingUntil() == null ? null : delivery.items(),
                    delivery.parts(),
                    delivery.sentParts(),
                    delivery.messageIds(),
                    delivery.reason());
        }
    }

    /** A run with its state. Values that do not exist yet are absent; times are ISO 8601 in UTC. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Run(
            boolean ok,
            String runId,
            String status,
            String agentId,
            String sessionKey,
            @Nullable String sender,
            String model,
            @Nullable String askedModel,
            int attempts,
            String acceptedAt,
            @Nullable String startedAt,
            @Nullable String finishedAt,
            @Nullable String reply,
            @Nullable String error,
            @Nullable String retryAt,
            @Nullable String retryReason,
            @Nullable String heldBy,
            @Nullable String collectingUntil,
            @Nullable Integer items,
            @Nullable String traceId,
            @Nullable TurnUse turn,
            String delivery,
            List<Delivery> deliveries) {

        static Run of(RunView run) {
            return of(run, run.reply());
        }

        /** The run without the agent's reply, for senders that may see only how the run has ended. */
        static Run withoutReply(RunView run) {
            return of(run, null);
        }

        private static Run of(RunView run, @Nullable String reply) {
            return new Run(
                    /* ok= */ true,
                    /* runId= */ run.id().value(),
                    /* status= */ run.state().wire(),
                    run.agentId(),
                    /* sessionKey= */ run.sessionKey().value(),
                    run.sender(),
                    run.model(),
                    run.askedModel(),
                    run.attempts(),
                    /* acceptedAt= */ run.acceptedAt().toString(),
                    /* startedAt= */ text(run.startedAt()),
                    /* finishedAt= */ text(run.finishedAt()),
                    reply,
                    run.error(),
                    /* retryAt= */ text(run.retryAt()),
                    run.retryReason(),
                    run.heldBy(),
                    /* collectingUntil= */ text(run.collectingUntil()),
                    /* items= */ run.items() == 1 && run.collectingUntil() == null ? null : run.items(),
                    run.traceId(),
                    /* turn= */ run.turn() == null ? null : TurnUse.of(run.turn()),
                    /* delivery= */ run.delivery().wire(),
                    /* deliveries= */ run.deliveries().stream()
                            .map(Delivery::of)
                            .toList());
        }
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : instant.toString();
    }

    /** The use of resources and tools by a run's turn; values that were not counted are absent. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record TurnUse(
            long durationMs,
            @Nullable Long inputTokens,
            @Nullable Long outputTokens,
            @Nullable BigDecimal cost,
            @Nullable String finishReason,
            List<ToolCall> toolCalls,
            List<String> notes) {

        static TurnUse of(TurnRecord turn) {
            return new TurnUse(
                    turn.durationMillis(),
                    turn.inputTokens(),
                    turn.outputTokens(),
                    turn.cost(),
                    turn.finishReason(),
                    turn.toolCalls().stream().map(ToolCall::of).toList(),
                    turn.notes());
        }
    }

    record ToolCall(String server, String tool, String status, long argumentBytes, long resultBytes, long durationMs) {

        static ToolCall of(TurnRecord.ToolCall call) {
            return new ToolCall(
                    call.server(),
                    call.tool(),
                    call.outcome().wire(),
                    call.argumentBytes(),
                    call.resultBytes(),
                    call.durationMillis());
        }
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Delivery(
            String channel,
            @Nullable String to,
            String status,
            int attempts,
            int parts,
            int sentParts,
            List<String> messageIds,
            @Nullable String reason) {

        static Delivery of(RunView.Delivery delivery) {
            return new Delivery(
                    delivery.channel(),
                    delivery.to(),
                    delivery.state().wire(),
                    delivery.attempts(),
                    delivery.parts(),
                    delivery.sentParts(),
                    delivery.messageIds(),
                    delivery.reason());
        }
    }
}
