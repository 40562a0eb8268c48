package dev.postern.agent.chat;

import java.util.regex.Pattern;

/** What a provider does not like about a request. Each says so in words of its own. */
enum ProviderErrorKind {

    /** The conversation, or it and the room that its reply asks for, is longer than the model's context. */
    LENGTH,

    /** The model doesn't think, or not in the way that was asked for. */
    THINKING,

    /** More is asked for than the model may answer with. */
    OUTPUT,

    /** Something else. */
    OTHER;

    private static final Pattern ABOUT_LENGTH = Pattern.compile(
            "context.(length|size|window|limit)|prompt is too long|input token count", Pattern.CASE_INSENSITIVE);

    private static final Pattern ABOUT_THINKING =
            Pattern.compile("thinking|reasoning|effort", Pattern.CASE_INSENSITIVE);

    private static final Pattern ABOUT_OUTPUT =
            Pattern.compile("max_?(completion_?|output_?)?tokens", Pattern.CASE_INSENSITIVE);

    /** What an answer with {@code status} that says {@code body} is about. */
    static ProviderErrorKind of(int status, String body) {
        boolean isOfTheRequest = status == 400 || status == 413 || status == 422;
        // One of Ollama's engines says 500 where a prompt is too long.
        if ((isOfTheRequest || status == 500) && ABOUT_LENGTH.matcher(body).find()) {
            return LENGTH;
        }
        if (isOfTheRequest && ABOUT_THINKING.matcher(body).find()) {
            return THINKING;
        }
        return isOfTheRequest && ABOUT_OUTPUT.matcher(body).find() ? OUTPUT : OTHER;
    }

    /** Whether another way to ask for thinking, which goes with another number of tokens, may be taken instead. */
    boolean isOfOneWayToAsk() {
        return this == THINKING || this == OUTPUT;
    }
}
