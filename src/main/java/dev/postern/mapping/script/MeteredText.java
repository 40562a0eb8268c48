package dev.postern.mapping.script;

import dev.postern.mapping.text.Casing;
import java.text.Collator;
import java.text.Normalizer;
import java.util.Locale;

/**
 * Methods of the JDK on texts, for Rhino to call in the place of the JDK's own: those of which one call can take more than a
 * script's whole time or memory. Each gives what the JDK's gives, or ends the script.
 */
public final class MeteredText {

    /** More combining marks than this in a row are sorted by insertion for too long. */
    private static final int MOST_MARKS = 1000;

    private static final int LONGEST_COLLATED = 10_000;

    private MeteredText() {}

    /** As {@link String#repeat(int)}. */
    public static String repeat(String text, int count) {
        if ((long) text.length() * count > Meter.LONGEST_TEXT) {
            Meter.refuse();
        }
        return text.repeat(count);
    }

    /** As {@link String#indexOf(String)}. */
    public static int indexOf(String text, String part) {
        return indexOf(text, part, 0);
    }

    /** As {@link String#indexOf(String, int)}, which takes length times length at worst. */
    public static int indexOf(String text, String part, int from) {
        Meter.unseen((long) text.length() * part.length());
        return text.indexOf(part, from);
    }

    /** As {@link String#lastIndexOf(String)}. */
    public static int lastIndexOf(String text, String part) {
        return lastIndexOf(text, part, text.length());
    }

    /** As {@link String#lastIndexOf(String, int)}. */
    public static int lastIndexOf(String text, String part, int from) {
        Meter.unseen((long) text.length() * part.length());
        return text.lastIndexOf(part, from);
    }

    /** As {@link String#contains(CharSequence)}. */
    public static boolean contains(String text, CharSequence part) {
        return indexOf(text, part.toString(), 0) >= 0;
    }

    /** As {@link String#compareTo(String)}. */
    public static int compareTo(String text, String other) {
        Meter.read(Math.min(text.length(), other.length()));
        return text.compareTo(other);
    }

    /** As {@link String#toUpperCase(Locale)}, by pieces. */
    public static String toUpperCase(String text, Locale locale) {
        return Casing.upper(text, locale, Meter::tick);
    }

    /** As {@link String#toLowerCase(Locale)}, by pieces. */
    public static String toLowerCase(String text, Locale locale) {
        return Casing.lower(text, locale, Meter::tick);
    }

    /** As {@link Normalizer#normalize(CharSequence, Normalizer.Form)}, which sorts marks by insertion. */
    public static String normalize(CharSequence text, Normalizer.Form form) {
        boundMarks(text);
        return Normalizer.normalize(text, form);
    }

    /** As {@link Collator#compare(String, String)}, which normalizes. */
    public static int compare(Collator collator, String text, String other) {
        Meter.unseen(text.length() > LONGEST_COLLATED || other.length() > LONGEST_COLLATED ? Long.MAX_VALUE : 0);
        boundMarks(text);
        boundMarks(other);
        return collator.compare(text, other);
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
        for (int i = 0; i < text.length(); i++) {
            int type = Character.getType(text.charAt(i));
            boolean mark = type == Character.NON_SPACING_MARK || type == Character.SURROGATE;
            marks = mark ? marks + 1 : 0;
            Meter.unseen(marks > MOST_MARKS ? Long.MAX_VALUE : 0);
        }
    }
}
