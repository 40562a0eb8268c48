package dev.postern.agent;

import dev.postern.model.Excerpt;
import dev.postern.model.Secret;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A cleaner of error texts that providers and programs give, for operators. It removes secrets and control characters,
 * and cuts the text.
 */
public final class ErrorText {

    /** The longest text, in characters. */
    static final int MAX_CHARACTERS = 2_000;

    private static final String REDACTED = "[redacted]";
    /** Shorter values are no secrets, and would tear ordinary words apart. */
    private static final int LEAST_SECRET_CHARACTERS = 4;

    private static final Pattern AUTHORIZATION = Pattern.compile("(?i)\\b(bearer|basic)\\s+[^\\s\"',;]+");
    private static final Pattern USER_INFORMATION = Pattern.compile("://[^\\s/@]+@");
    /** Keys as their services mark them, and JSON web tokens. */
    private static final Pattern KEYS =
            Pattern.compile("\\b(?:(?:sk|pk|rk|xox[a-z]|gh[a-z]|whsec)[-_]|AIza|AKIA|eyJ)[A-Za-z0-9*_.-]{6,}");

    private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}\\p{Cf}&&[^\\n\\t]]");

    private final List<String> secrets;

    /** @param secrets the values that are redacted wherever they occur */
    public ErrorText(Collection<Secret> secrets) {
        this.secrets = secrets.stream()
                .map(Secret::reveal)
                .filter(value -> value.length() >= LEAST_SECRET_CHARACTERS)
                .sorted(Comparator.comparing(String::length).reversed())
                .toList();
    }

    /** The first {@value #MAX_CHARACTERS} characters of {@code text} after its cleaning. */
    public String beginning(String text) {
        return Excerpt.of(clean(text), MAX_CHARACTERS);
    }

    /** The last lines of {@code text} after its cleaning, at most {@value #MAX_CHARACTERS} characters. */
    public String end(String text) {
        String clean = clean(text);
        if (clean.length() <= MAX_CHARACTERS) {
            return clean;
        }
        String last = clean.substring(clean.length() - MAX_CHARACTERS + 1);
        int line = last.indexOf('\n');
        return "…" + (line < 0 ? last : last.substring(line + 1));
    }

    private String clean(String text) {
        String clean = text;
        for (String secret : secrets) {
            clean = clean.replace(secret, REDACTED);
        }
        clean = AUTHORIZATION.matcher(clean).replaceAll("$1 " + REDACTED);
        clean = USER_INFORMATION.matcher(clean).replaceAll("://" + REDACTED + "@");
        clean = KEYS.matcher(clean).replaceAll(REDACTED);
        return CONTROL.matcher(clean).replaceAll("").strip();
    }
}
