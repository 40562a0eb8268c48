package dev.postern.mail.message;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an element's own style does to its text. Rules of style sheets are not looked at.
 *
 * @param hidden whether nothing of the element is shown, whatever is inside
 * @param tiny whether its letters have no size, as in the frames of many newsletters whose inner elements have one again;
 *     null where it says nothing of that
 */
record InlineStyle(boolean hidden, @Nullable Boolean tiny) {

    private static final InlineStyle NONE = new InlineStyle(false, null);
    private static final int MAX_CHARS = 4_000;

    private static final Pattern NOISE = Pattern.compile("/\\*[^*]*+(?:\\*(?!/)[^*]*+)*+\\*/|\\s+");
    private static final Pattern HIDDEN =
            Pattern.compile("(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|opacity:[0.]+%?(?:;|!|$))");
    private static final Pattern FOLDED = Pattern.compile("(?:^|;)(?:max-)?height:0(?:px|pt|em|%)?(?:;|!|$)");
    private static final Pattern CLIPPED = Pattern.compile("(?:^|;)overflow:hidden");
    private static final Pattern FONT_SIZE =
            Pattern.compile("(?:^|;)font-size:(?:([0.]+(?:px|pt|em|rem|%)?(?:;|!|$))|.)");

    /** @param declarations an attribute's value; null for an element without */
    static InlineStyle of(@Nullable String declarations) {
        if (declarations == null) {
            return NONE;
        }
        String style = NOISE.matcher(SingleLineText.cut(declarations, MAX_CHARS))
                .replaceAll("")
                .toLowerCase(Locale.ROOT);
        boolean hidden = HIDDEN.matcher(style).find()
                || (FOLDED.matcher(style).find() && CLIPPED.matcher(style).find());
        var size = FONT_SIZE.matcher(style);
        return new InlineStyle(hidden, size.find() ? size.group(1) != null : null);
    }
}
