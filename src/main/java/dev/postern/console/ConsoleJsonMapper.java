package dev.postern.console;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.jakarta.rs.json.JacksonJsonProvider;
import dev.postern.agent.TranscriptRepository;
import dev.postern.model.DeliveryState;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.SessionKey;
import dev.postern.model.TurnRecord;
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
                .addSerializer(RunState.class, as(RunState::wire))
                .addSerializer(DeliveryState.class, as(DeliveryState::wire))
                .addSerializer(TranscriptRepository.Role.class, as(TranscriptRepository.Role::wire))
                .addSerializer(TurnRecord.Outcome.class, as(TurnRecord.Outcome::wire));
        return JsonMapper.builder()
                .addModule(words)
                .defaultPropertyInclusion(JsonInclude.Value.construct(Include.NON_NULL, Include.NON_NULL))
                .build();
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
