package dev.postern.agent.chat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/**
 * What the model has answered in one turn, as it was: LangChain4j puts thoughts and signatures of one answer together and its
 * parts in an order of its own, and providers refuse tool results after an answer that isn't sent back as they gave it.
 */
final class RawAssistantMessages {

    private final String role;
    private final String name;
    private final List<String> answers = new ArrayList<>();

    /**
     * @param role whose messages in a request are the model's
     * @param name what the parts of such a message are called
     */
    RawAssistantMessages(String role, String name) {
        this.role = role;
        this.name = name;
    }

    /** The {@code parts} of the next answer. */
    void keep(JsonNode parts) {
        if (parts.isArray()) {
            answers.add(parts.toString());
        }
    }

    /** Puts all of it into {@code messages}, a request's: each answer that asked for tools is one of them, the last in the end. */
    void putBack(JsonNode messages) {
        List<JsonNode> said = StreamSupport.stream(messages.spliterator(), false)
                .filter(message -> message.path("role").asText().equals(role))
                .toList();
        int before = said.size() - answers.size();
        for (int i = 0; i < answers.size(); i++) {
            ((ObjectNode) said.get(before + i)).putRawValue(name, new RawValue(answers.get(i)));
        }
    }
}
