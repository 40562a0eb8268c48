package dev.postern.agent.chat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/**
 * The model's messages of one turn in their original form. LangChain4j merges the thoughts and signatures of a message and
 * reorders its parts. Providers refuse tool results after a message that is not sent back as they gave it.
 */
final class RawAssistantMessages {

    private final String role;
    private final String name;
    private final List<String> answers = new ArrayList<>();

    /**
     * Creates an empty collection.
     *
     * @param role the role of the model's messages in a request
     * @param name the name of the parts in such a message
     */
    RawAssistantMessages(String role, String name) {
        this.role = role;
        this.name = name;
    }

    /** Keeps the {@code parts} of the next message. */
    void keep(JsonNode parts) {
        if (parts.isArray()) {
            answers.add(parts.toString());
        }
    }

    /**
     * Puts the kept messages back into {@code messages} of a request. Each kept message that asked for tools is one of them,
     * the last at the end.
     */
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
