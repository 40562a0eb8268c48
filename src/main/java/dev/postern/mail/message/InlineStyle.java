package dev.postern.mail.message;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The effect of an element's {@code style} attribute on the visibility of its text. Style sheets are ignored.
 *
 * @param hidden whether the element and all its content is invisible
 * @param tiny whether its font size is 0, as in the frames of many newsletters whose inner elements set a size again;
 *     null if the style sets no font size
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

    /** @param declarations the attribute's value; null if the element has none */
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
