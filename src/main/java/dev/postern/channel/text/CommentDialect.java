package dev.postern.channel.text;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * The dialect of comments on GitHub, GitLab and services like them. HTML stays text. A reply may repeat what a stranger
 * wrote, so it carries out no commands ({@code /close}, GitLab's quick actions and bots on GitHub) and, unless the operator
 * allows it, mentions nobody and refers to nothing ({@code @ops}, {@code #12}, {@code !7}, {@code GH-12},
 * {@code Duplicate of}).
 *
 * @see <a href="https://github.github.com/gfm/">GitHub Flavored Markdown</a>
 * @see <a href="https://docs.gitlab.com/user/project/quick_actions/">GitLab quick actions</a>
 */
final class CommentDialect extends GitHubFlavoredDialect {

    private static final Pattern COMMAND_IN_CODE = Pattern.compile("(?m)^/(?=[A-Za-z][A-Za-z0-9_-]*(\\s|$))");
    private static final Set<String> TRACKERS = Set.of("GH", "gh", "Gh", "gH", "GL", "gl", "Gl", "gL");
    private static final String DUPLICATE = "duplicate";
    private static final Pattern OF = Pattern.compile("\\s+of\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern NUMBER_SIGN = Pattern.compile("#(?=[0-9])");

    /** Length of the text behind {@code Duplicate} that is looked at. */
    private static final int NEAR = 20;

    private final boolean mentions;

    /**
     * @param mentions whether mentions and references work
     */
    CommentDialect(boolean mentions) {
        this.mentions = mentions;
    }

    /** The angle brackets of an autolink, without which an unusual address would be text with references. */
    @Override
    Delimiters shown(String url, String text) {
        return isWeb(text) ? new Delimiters("<", ">") : Delimiters.NONE;
    }

    /** Writes an address without a scheme as text: a telephone number such as {@code /close} must be no command. */
    @Override
    void text(StringBuilder out, StyledSpan styledSpan) {
        String content = styledSpan.content();
        if (!styledSpan.isLiteral() || (styledSpan.link() != null && !isWeb(content))) {
            escaped(out, styledSpan);
        } else if (mentions || styledSpan.link() != null) {
            out.append(withoutMentions(content));
        } else {
            out.append(NUMBER_SIGN.matcher(withoutMentions(content)).replaceAll("%23"));
        }
    }

    private static boolean isWeb(String address) {
        return address.startsWith("http://") || address.startsWith("https://");
    }

    @Override
    boolean isMention(String text, int from, int index) {
        return !mentions && CharacterClasses.isMention(text, from, index);
    }

    @Override
    boolean isReference(String text, int index) {
        if (mentions) {
            return false;
        }
        return switch (text.charAt(index)) {
            case '#', '!', '&' -> isDigit(text, index + 1);
            case '-' -> isDigit(text, index + 1) && index > 1 && TRACKERS.contains(text.substring(index - 2, index));
            case 'e', 'E' -> endsDuplicate(text, index);
            default -> false;
        };
    }

    private static boolean isDigit(String text, int index) {
        return index < text.length() && Character.isDigit(text.charAt(index));
    }

    private static boolean endsDuplicate(String text, int index) {
        int behind = index + 1;
        return text.regionMatches(true, behind - DUPLICATE.length(), DUPLICATE, 0, DUPLICATE.length())
                && OF.matcher(text)
                        .region(behind, Math.min(text.length(), behind + NEAR))
                        .lookingAt();
    }

    @Override
    boolean isCommand(StyledSpan styledSpan, int index) {
        return styledSpan.at(index) == '/' && isAtLineStart(styledSpan, index);
    }

    /** Writes code; a space before a command in a block keeps programs that don't read Markdown from running it. */
    @Override
    void code(StringBuilder out, String code) {
        boolean block = !out.isEmpty() && out.charAt(out.length() - 1) == '\n';
        super.code(out, block ? COMMAND_IN_CODE.matcher(code).replaceAll(" /") : code);
    }
}
