package dev.postern.agent.chat;

import com.fasterxml.jackson.databind.JsonNode;

/** A server that speaks a provider's published API, with samples of the provider's requests and responses. */
abstract class ProviderServer extends StubServer {

    /** The path of the requests. */
    abstract String path();

    /** The header that carries the key, with its value. */
    abstract String[] keyHeader();

    /** A completion with {@code text}, for 11 tokens in and 7 out. */
    abstract String reply(String text);

    /** A reply that was cut at the output limit. */
    abstract String cutReply(String text);

    /** A completion without any text. */
    abstract String empty();

    /** A completion with thoughts beside the {@code text}. */
    abstract String thoughtful(String thought, String text);

    /** A completion that calls {@code weather} for Rome and for Oslo. */
    abstract String toolCalls();

    /** A request with instructions {@code Be brief.}, a past of {@code Hi}, {@code Hello}, and {@code How are you?}. */
    abstract String request();

    /** {@code What is …?} with the tool {@code weather}, and after it the calls and their results. */
    abstract String requestWithResults();

    /** An error in this provider's words, for a model that does not think. */
    abstract String thinkingRefused();

    /** An error in this provider's words, for a conversation that is too long for its model. */
    abstract String lengthRefused();

    /** The JSON pointer to a request's limit of output tokens. */
    abstract String maxTokens();

    /** The part of a request that asks for thinking, as JSON; an empty object for none. */
    abstract String thinkingIn(JsonNode request);

    /** Pairs of a level and the result of {@link #thinkingIn} for its request; null for no level. */
    abstract String[][] thinking();
}
