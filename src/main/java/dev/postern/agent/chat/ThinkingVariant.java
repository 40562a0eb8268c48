package dev.postern.agent.chat;

import dev.langchain4j.model.chat.ChatModel;

/**
 * A variant of a model, set up for one way of asking it to think.
 *
 * @param note the run's note if this variant is used; empty for none
 */
record ThinkingVariant(ChatModel model, String note) {

    /** A variant that does what the turn asks for. */
    static ThinkingVariant asAsked(ChatModel model) {
        return new ThinkingVariant(model, "");
    }

    /** A variant that thinks at {@code instead}, a level near to {@code level}. */
    static ThinkingVariant near(ChatModel model, String level, String instead) {
        return new ThinkingVariant(
                model, "The model knows no thinking level " + level + "; it was asked for " + instead + " instead.");
    }

    /** A variant that leaves {@code level} out. */
    static ThinkingVariant without(ChatModel model, String level) {
        return new ThinkingVariant(
                model, "The model knows no thinking level " + level + "; it thought as it does by itself.");
    }
}
