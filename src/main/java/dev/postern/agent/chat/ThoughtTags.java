package dev.postern.agent.chat;

/** The tags around a model's thoughts, which some servers leave in front of its reply. */
final class ThoughtTags {

    private static final String OPENING = "<think>";
    private static final String CLOSING = "</think>";

    private ThoughtTags() {}

    /**
     * {@code text} without the thoughts in front of it. Their opening tag is missing where a chat template has put it into
     * the prompt. Tags in code or behind a quotation mark are part of the reply.
     *
     * @param isWhole whether the model has said all that it wanted; if not, a thought may lack its closing tag
     */
    static String removeThought(String text, boolean isWhole) {
        String said = text.strip();
        int end = said.indexOf(CLOSING);
        if (said.startsWith(OPENING) && end < 0) {
            return isWhole ? said : "";
        }
        boolean isThought = said.startsWith(OPENING)
                || (end >= 0 && said.lastIndexOf(OPENING, end) < 0 && !isQuoted(said.substring(0, end)));
        return isThought ? said.substring(end + CLOSING.length()) : said;
    }

    /** Whether a tag behind {@code before} is in code or behind a quotation mark. */
    private static boolean isQuoted(String before) {
        return before.endsWith("\"")
                || before.endsWith("'")
                || before.chars().filter(each -> each == '`').count() % 2 == 1;
    }
}
