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
 * Methods of the JDK on texts, for Rhino to call in the place of the JDK's own: those of which one call can take more than a
 * script's whole time or memory. Each gives what the JDK's gives, or ends the script.
 */
public final class MeteredStringMethods {

    /** More combining marks than this in a row are sorted by insertion for too long. */
    private static final int MOST_MARKS = 1000;

    private static final int LONGEST_COLLATED = 10_000;

    /** What is longer may come to eighteen times as much. */
    private static final int LONGEST_NORMALIZED = 250_000;

    /** Comparisons of a character that may be done in one go. */
    private static final int FEW_COMPARISONS = 1 << 20;

    private static final int LONGEST_TAG = 35;

    /** Those that a formatter knows, by their tags. The JDK keeps every other one that it is asked for, too. */
    private static final Map<String, Locale> LOCALES = Arrays.stream(Locale.getAvailableLocales())
            .collect(Collectors.toUnmodifiableMap(MeteredStringMethods::key, locale -> locale, (one, other) -> one));

    private static final Locale UNKNOWN = Locale.forLanguageTag("x-unknown");

    private MeteredStringMethods() {}

    /** As {@link String#repeat(int)}. */
    public static String repeat(String text, int count) {
        if ((long) text.length() * count > ScriptMeter.LONGEST_TEXT) {
            ScriptMeter.refuse(ScriptTerminated.Reason.MEMORY);
        }
        return text.repeat(count);
    }

    /** As {@link String#indexOf(String)}. */
    public static int indexOf(String text, String part) {
        return indexOf(text, part, 0);
    }

    /** As {@link String#indexOf(String, int)}, which takes length times length at worst. */
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

    /** As {@link String#lastIndexOf(String)}. */
    public static int lastIndexOf(String text, String part) {
        return lastIndexOf(text, part, text.length());
    }

    /** As {@link String#lastIndexOf(String, int)}. */
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

    /** As {@link String#contains(CharSequence)}. */
    public static boolean contains(String text, CharSequence part) {
        return indexOf(text, part.toString(), 0) >= 0;
    }

    /** As {@link String#compareTo(String)}. */
    public static int compareTo(String text, String other) {
        ScriptMeter.spend(Math.min(text.length(), other.length()));
        return text.compareTo(other);
    }

    /** As {@link String#toUpperCase(Locale)}, by pieces. */
    public static String toUpperCase(String text, Locale locale) {
        return CaseConversion.upper(text, locale, ScriptMeter::tick);
    }

    /** As {@link String#toLowerCase(Locale)}, by pieces. */
    public static String toLowerCase(String text, Locale locale) {
        return CaseConversion.lower(text, locale, ScriptMeter::tick);
    }

    /** As {@link Normalizer#normalize(CharSequence, Normalizer.Form)}, which sorts marks by insertion. */
    public static String normalize(CharSequence text, Normalizer.Form form) {
        boundMarks(text);
        if (text.length() > LONGEST_NORMALIZED && !Normalizer.isNormalized(text, form)) {
            ScriptMeter.refuse(ScriptTerminated.Reason.MEMORY);
        }
        ScriptMeter.spend(text.length());
        return Normalizer.normalize(text, form);
    }

    /** As {@link Collator#compare(String, String)}, which normalizes. */
    public static int compare(Collator collator, String text, String other) {
        if (text.length() > LONGEST_COLLATED || other.length() > LONGEST_COLLATED) {
            ScriptMeter.refuse(ScriptTerminated.Reason.CPU);
        }
        boundMarks(text);
        boundMarks(other);
        return collator.compare(text, other);
    }

    /** As {@link Locale#forLanguageTag(String)}, for tags that are known. */
    public static Locale forLanguageTag(String tag) {
        return LOCALES.getOrDefault(tag.length() > LONGEST_TAG ? "" : tag.toLowerCase(Locale.ROOT), UNKNOWN);
    }

    private static String key(Locale locale) {
        return locale.toLanguageTag().toLowerCase(Locale.ROOT);
    }

    /** As {@link StringBuilder#append(String)}. */
    public static StringBuilder append(StringBuilder builder, @Nullable String text) {
        grow(builder, text == null ? 0 : text.length());
        return builder.append(text);
    }

    /** As {@link StringBuilder#append(CharSequence)}. */
    public static StringBuilder append(StringBuilder builder, @Nullable CharSequence text) {
        grow(builder, text == null ? 0 : text.length());
        return builder.append(text);
    }

    /** As {@link StringBuilder#append(CharSequence, int, int)}. */
    public static StringBuilder append(StringBuilder builder, CharSequence text, int from, int to) {
        grow(builder, to - from);
        return builder.append(text, from, to);
    }

    private static void grow(StringBuilder builder, int characters) {
        ScriptMeter.text(builder.length() + characters);
        ScriptMeter.spend(characters);
    }

    /** As {@link Class#getName()}, for messages that scripts read: what kind of object it is, and nothing of Java. */
    public static String getName(Class<?> kind) {
        return kind.getSimpleName().replaceFirst("^Native", "");
    }

    /** As {@link Class#getSimpleName()}, for the same messages. */
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
