package dev.postern.agent.chat;

import java.util.regex.Pattern;

/** The kind of error that a provider reports about a request. Each provider has its own words for it. */
enum ProviderErrorKind {

    /** The conversation, alone or with the space for its reply, is longer than the model's context. */
    LENGTH,

    /** The model doesn't think, or not in the requested way. */
    THINKING,

    /** The request allows more output than the model supports. */
    OUTPUT,

    /** Any other error. */
    OTHER;

    private static final Pattern ABOUT_LENGTH = Pattern.compile(
            "context.(length|size|window|limit)|prompt is too long|input token count", Pattern.CASE_INSENSITIVE);

    private static final Pattern ABOUT_THINKING =
            Pattern.compile("thinking|reasoning|effort", Pattern.CASE_INSENSITIVE);

    private static final Pattern ABOUT_OUTPUT =
            Pattern.compile("max_?(completion_?|output_?)?tokens", Pattern.CASE_INSENSITIVE);

    /** The kind of error in a response with {@code status} and {@code body}. */
    static ProviderErrorKind of(int status, String body) {
        boolean isOfTheRequest = status == 400 || status == 413 || status == 422;
        // One of Ollama's engines responds with 500 if a prompt is too long.
        if ((isOfTheRequest || status == 500) && ABOUT_LENGTH.matcher(body).find()) {
            return LENGTH;
        }
        if (isOfTheRequest && ABOUT_THINKING.matcher(body).find()) {
            return THINKING;
        }
        return isOfTheRequest && ABOUT_OUTPUT.matcher(body).find() ? OUTPUT : OTHER;
    }

    /** Whether another variant may be tried, which asks for thinking in another way and for another number of tokens. */
    boolean allowsOtherVariant() {
        return this == THINKING || this == OUTPUT;
    }
}
