package dev.postern.console;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.jakarta.rs.json.JacksonJsonProvider;
import dev.postern.acceptance.RunFilter;
import dev.postern.acceptance.RunQueries;
import dev.postern.agent.TranscriptRepository;
import dev.postern.budget.SpendingDimension;
import dev.postern.channel.DeliveryQueries;
import dev.postern.model.ApprovalDecision;
import dev.postern.model.DeliveryState;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.model.SessionKey;
import dev.postern.model.TurnRecord;
import dev.postern.requests.ResponseKind;
import dev.postern.statistics.CountRange;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.function.Function;

/** A mapper between the console's records and JSON, for the responses to programs and for the data of pages. */
final class ConsoleJsonMapper {

    private final JsonMapper mapper = mapper();

    private static JsonMapper mapper() {
        SimpleModule words = new SimpleModule()
                .addSerializer(Instant.class, as(moment -> moment.truncatedTo(ChronoUnit.MILLIS)))
                .addSerializer(Duration.class, as(Duration::toString))
                .addSerializer(RunId.class, as(RunId::value))
                .addSerializer(SessionKey.class, as(SessionKey::value))
                .addSerializer(ResponseKind.class, as(ResponseKind::wire))
                .addSerializer(RunFilter.Order.class, as(RunFilter.Order::wire))
                .addSerializer(CountRange.class, as(CountRange::wire))
                .addSerializer(SpendingDimension.class, as(SpendingDimension::wire))
                .addSerializer(RunState.class, as(RunState::wire))
                .addSerializer(ApprovalDecision.class, as(ApprovalDecision::wire))
                .addSerializer(DeliveryState.class, as(DeliveryState::wire))
                .addSerializer(TranscriptRepository.Role.class, as(TranscriptRepository.Role::wire))
                .addSerializer(TurnRecord.Outcome.class, as(TurnRecord.Outcome::wire));
        return JsonMapper.builder()
                .addModule(words)
                .addMixIn(RunView.class, RunFields.class)
                .addMixIn(RunView.Delivery.class, DeliveryFields.class)
                .addMixIn(TurnRecord.class, TurnFields.class)
                .addMixIn(TurnRecord.ToolCall.class, ToolCallFields.class)
                .addMixIn(RunQueries.Line.class, RunLineFields.class)
                .addMixIn(DeliveryQueries.Line.class, DeliveryFields.class)
                .defaultPropertyInclusion(JsonInclude.Value.construct(Include.NON_NULL, Include.NON_NULL))
                .build();
    }

    /** The fields of a run that have another name as JSON: the one that the hooks' responses give them. */
    interface RunFields {

        @JsonProperty("runId")
        RunId id();

        @JsonProperty("status")
        RunState state();

        @JsonIgnore
        int waits();
    }

    /** The same fields of a run in a list, and its session key. */
    interface RunLineFields extends RunFields {

        @JsonProperty("sessionKey")
        SessionKey session();
    }

    /** The field of a delivery whose name is that in the hooks' responses. */
    interface DeliveryFields {

        @JsonProperty("status")
        DeliveryState state();
    }

    /** The field of a turn whose name is that in the hooks' responses. */
    interface TurnFields {

        @JsonProperty("durationMs")
        long durationMillis();
    }

    /** The fields of a tool call whose names are those in the hooks' responses. */
    interface ToolCallFields extends TurnFields {

        @JsonProperty("status")
        TurnRecord.Outcome outcome();
    }

    private static <T> JsonSerializer<T> as(Function<T, ?> text) {
        return new JsonSerializer<>() {
            @Override
            public void serialize(T value, JsonGenerator json, SerializerProvider unused) throws IOException {
                json.writeString(text.apply(value).toString());
            }
        };
    }

    /** The provider by which Jersey reads and writes JSON. */
    JacksonJsonProvider provider() {
        return new JacksonJsonProvider(mapper);
    }

    /** The contents of {@code shown} as JSON has them: maps, lists, strings, numbers and booleans. */
    Map<String, Object> tree(Object shown) {
        return mapper.convertValue(shown, new TypeReference<>() {});
    }
}
