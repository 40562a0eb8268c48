package dev.postern.agent.chat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** A reader of the JSON bodies of requests and responses. */
final class JsonBodyReader {

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final ObjectReader WHOLE = JSON.reader().with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private JsonBodyReader() {}

    /** A request's body as LangChain4j writes it. */
    static ObjectNode request(String body) {
        return answer(body).orElseThrow(() -> new IllegalStateException("LangChain4j writes JSON objects"));
    }

    /** A response's body; empty if it is not a JSON object. */
    static Optional<ObjectNode> answer(String body) {
        try {
            return JSON.readTree(body) instanceof ObjectNode answer ? Optional.of(answer) : Optional.empty();
        } catch (JsonProcessingException noJson) {
            return Optional.empty();
        }
    }

    /** Whether {@code text} is one JSON object, with nothing behind it. */
    static boolean isObject(String text) {
        try {
            return WHOLE.readTree(text).isObject();
        } catch (JsonProcessingException noJson) {
            return false;
        }
    }
}
