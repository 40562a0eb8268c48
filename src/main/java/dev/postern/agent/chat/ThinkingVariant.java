package dev.postern.agent.chat;

import dev.langchain4j.model.chat.ChatModel;

/**
 * A model, set up to think in one of the ways in which it may be asked to.
 *
 * @param note what the run is to say when this way is taken; empty for nothing
 */
record ThinkingVariant(ChatModel model, String note) {

    /** Does what the turn asks for. */
    static ThinkingVariant asAsked(ChatModel model) {
        return new ThinkingVariant(model, "");
    }

    /** Does something near to {@code level}, which is called {@code instead}. */
    static ThinkingVariant near(ChatModel model, String level, String instead) {
        return new ThinkingVariant(
                model, "The model knows no thinking level " + level + "; it was asked for " + instead + " instead.");
    }

    /** Leaves {@code level} out. */
    static ThinkingVariant without(ChatModel model, String level) {
        return new ThinkingVariant(
                model, "The model knows no thinking level " + level + "; it thought as it does by itself.");
    }
}
