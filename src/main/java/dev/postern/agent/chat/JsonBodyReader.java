package dev.postern.agent.chat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** Reads the bodies of requests and answers. */
final class JsonBodyReader {

    private static final ObjectMapper JSON = new ObjectMapper();

    private JsonBodyReader() {}

    /** A request as LangChain4j writes it. */
    static ObjectNode request(String body) {
        return answer(body).orElseThrow(() -> new IllegalStateException("LangChain4j writes JSON objects"));
    }

    /** An answer; empty where it is no JSON object. */
    static Optional<ObjectNode> answer(String body) {
        try {
            return JSON.readTree(body) instanceof ObjectNode answer ? Optional.of(answer) : Optional.empty();
        } catch (JsonProcessingException noJson) {
            return Optional.empty();
        }
    }
}
