package dev.postern.mapping.script;

import dev.postern.mapping.text.CaseConversion;
import java.text.Collator;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The JDK methods on text that Rhino calls in a metered form. One call of an original can take more than a script's whole
 * time or memory. Each method gives what the JDK's gives, or ends the script.
 */
public final class MeteredStringMethods {

    /** The most combining marks in a row. The JDK sorts them by insertion, which takes too long for more. */
    private static final int MOST_MARKS = 1000;

    private static final int LONGEST_COLLATED = 10_000;

    /** In characters. Normalization can make a text eighteen times as long. */
    private static final int LONGEST_NORMALIZED = 250_000;

    /** The most comparisons of characters that are done at once. */
    private static final int FEW_COMPARISONS = 1 << 20;

    private static final int LONGEST_TAG = 35;

    /** The locales that a formatter knows, by their tags. The JDK keeps every other locale that it is asked for, too. */
    private static final Map<String, Locale> LOCALES = Arrays.stream(Locale.getAvailableLocales())
            .collect(Collectors.toUnmodifiableMap(MeteredStringMethods::key, locale -> locale, (one, other) -> one));

    private static final Locale UNKNOWN = Locale.forLanguageTag("x-unknown");

    private MeteredStringMethods() {}

    /** Works like {@link String#repeat(int)}. */
    public static String repeat(String text, int count) {
        if ((long) text.length() * count > ScriptMeter.LONGEST_TEXT) {
            ScriptMeter.refuse(ScriptTerminated.Reason.MEMORY);
        }
        return text.repeat(count);
    }

    /** Works like {@link String#indexOf(String)}. */
    public static int indexOf(String text, String part) {
        return indexOf(text, part, 0);
    }

    /**
     * Works like {@link String#indexOf(String, int)}, which takes time in proportion to the product of both lengths at
     * worst.
     */
    public static int indexOf(String text, String part, int from) {
        if ((long) text.length() * part.length() <= FEW_COMPARISONS) {
            return text.indexOf(part, from);
        }
        int last = text.length() - part.length();
        int at = text.indexOf(part.charAt(0), from);
        while (at >= 0 && at <= last && !isAt(text, part, at)) {
            at = text.indexOf(part.charAt(0), at + 1);
        }
        return at > last ? -1 : at;
    }

    /** Works like {@link String#lastIndexOf(String)}. */
    public static int lastIndexOf(String text, String part) {
        return lastIndexOf(text, part, text.length());
    }

    /** Works like {@link String#lastIndexOf(String, int)}. */
    public static int lastIndexOf(String text, String part, int from) {
        if ((long) text.length() * part.length() <= FEW_COMPARISONS) {
            return text.lastIndexOf(part, from);
        }
        int at = text.lastIndexOf(part.charAt(0), Math.min(from, text.length() - part.length()));
        while (at >= 0 && !isAt(text, part, at)) {
            at = text.lastIndexOf(part.charAt(0), at - 1);
        }
        return at;
    }

    private static boolean isAt(String text, String part, int at) {
        ScriptMeter.tick();
        ScriptMeter.spend(part.length());
        return text.startsWith(part, at);
    }

    /** Works like {@link String#contains(CharSequence)}. */
    public static boolean contains(String text, CharSequence part) {
        return indexOf(text, part.toString(), 0) >= 0;
    }

    /** Works like {@link String#compareTo(String)}. */
    public static int compareTo(String text, String other) {
        ScriptMeter.spend(Math.min(text.length(), other.length()));
        return text.compareTo(other);
    }

    /** Works like {@link String#toUpperCase(Locale)}, by pieces. */
    public static String toUpperCase(String text, Locale locale) {
        return CaseConversion.upper(text, locale, ScriptMeter::tick);
    }

    /** Works like {@link String#toLowerCase(Locale)}, by pieces. */
    public static String toLowerCase(String text, Locale locale) {
        return CaseConversion.lower(text, locale, ScriptMeter::tick);
    }

    /** Works like {@link Normalizer#normalize(CharSequence, Normalizer.Form)}, which sorts marks by insertion. */
    public static String normalize(CharSequence text, Normalizer.Form form) {
        boundMarks(text);
        if (text.length() > LONGEST_NORMALIZED && !Normalizer.isNormalized(text, form)) {
            ScriptMeter.refuse(ScriptTerminated.Reason.MEMORY);
        }
        ScriptMeter.spend(text.length());
        return Normalizer.normalize(text, form);
    }

    /** Works like {@link Collator#compare(String, String)}, which normalizes. */
    public static int compare(Collator collator, String text, String other) {
        if (text.length() > LONGEST_COLLATED || other.length() > LONGEST_COLLATED) {
            ScriptMeter.refuse(ScriptTerminated.Reason.CPU);
        }
        boundMarks(text);
        boundMarks(other);
        return collator.compare(text, other);
    }

    /** Works like {@link Locale#forLanguageTag(String)}, for tags that are known. */
    public static Locale forLanguageTag(String tag) {
        return LOCALES.getOrDefault(tag.length() > LONGEST_TAG ? "" : tag.toLowerCase(Locale.ROOT), UNKNOWN);
    }

    private static String key(Locale locale) {
        return locale.toLanguageTag().toLowerCase(Locale.ROOT);
    }

    /** Works like {@link StringBuilder#append(String)}. */
    public static StringBuilder append(StringBuilder builder, @Nullable String text) {
        grow(builder, text == null ? 0 : text.length());
        return builder.append(text);
    }

    /** Works like {@link StringBuilder#append(CharSequence)}. */
    public static StringBuilder append(StringBuilder builder, @Nullable CharSequence text) {
        grow(builder, text == null ? 0 : text.length());
        return builder.append(text);
    }

    /** Works like {@link StringBuilder#append(CharSequence, int, int)}. */
    public static StringBuilder append(StringBuilder builder, CharSequence text, int from, int to) {
        grow(builder, to - from);
        return builder.append(text, from, to);
    }

    private static void grow(StringBuilder builder, int characters) {
        ScriptMeter.text(builder.length() + characters);
        ScriptMeter.spend(characters);
    }

    /**
     * Works like {@link Class#getName()}, for messages that scripts read: it names the kind of object, and nothing of Java.
     */
    public static String getName(Class<?> kind) {
        return kind.getSimpleName().replaceFirst("^Native", "");
    }

    /** Works like {@link Class#getSimpleName()}, for the same messages. */
    public static String getSimpleName(Class<?> kind) {
        return getName(kind);
    }

    private static void boundMarks(CharSequence text) {
        int marks = 0;
        int character;
        for (int i = 0; i < text.length(); i += Character.charCount(character)) {
            character = Character.codePointAt(text, i);
            marks = isMark(character) ? marks + 1 : 0;
            if (marks > MOST_MARKS) {
                ScriptMeter.refuse(ScriptTerminated.Reason.CPU);
            }
        }
    }

    private static boolean isMark(int character) {
        int type = Character.getType(character);
        return type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK
                || type == Character.ENCLOSING_MARK;
    }
}
