package dev.postern.console;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import dev.postern.agent.Transcript;
import dev.postern.model.DeliveryState;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.SessionKey;
import dev.postern.model.TurnRecord;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** What there is to show, as JSON has it, for programs and for pages alike. */
final class Answers {

    private final JsonMapper mapper = mapper();

    private static JsonMapper mapper() {
        SimpleModule words = new SimpleModule()
                .addSerializer(Instant.class, as(moment -> moment.truncatedTo(ChronoUnit.MILLIS)))
                .addSerializer(Duration.class, as(Duration::toString))
                .addSerializer(RunId.class, as(RunId::value))
                .addSerializer(SessionKey.class, as(SessionKey::value))
                .addSerializer(RunState.class, as(RunState::wire))
                .addSerializer(DeliveryState.class, as(DeliveryState::wire))
                .addSerializer(Transcript.Role.class, as(Transcript.Role::wire))
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

    /** {@code answer} as JSON. */
    byte[] bytes(Object answer) throws IOException {
        return mapper.writeValueAsBytes(answer);
    }

    /** {@code answer} as JSON would have it: maps, lists, texts, numbers and truths. */
    Map<String, Object> tree(Object answer) {
        return mapper.convertValue(answer, new TypeReference<>() {});
    }

    /** The members of the JSON object that {@code body} is, texts as they are and all else as JSON; empty where it is none. */
    Optional<Map<String, String>> members(byte[] body) {
        try {
            JsonNode json = mapper.readTree(body);
            if (!json.isObject()) {
                return Optional.empty();
            }
            Map<String, String> members = new HashMap<>();
            json.properties()
                    .forEach(member -> members.put(
                            member.getKey(),
                            member.getValue().isTextual()
                                    ? member.getValue().textValue()
                                    : member.getValue().toString()));
            return Optional.of(members);
        } catch (IOException malformed) {
            return Optional.empty();
        }
    }

    /** The body of an answer that says why there is no other, in the shape of the hooks'. */
    static Problem problem(String code, String sentence) {
        return new Problem(false, sentence, code);
    }

    /**
     * Why there is no other answer.
     *
     * @param error a sentence for a person
     * @param code a word for a program
     */
    record Problem(boolean ok, String error, String code) {}
}
