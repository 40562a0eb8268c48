package dev.postern.it.standalone;

import java.net.http.HttpResponse;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An answer, with a JSON body that is read by looking for names: no JSON library is on these tests' class path. */
record Answer(HttpResponse<String> response) {

    private static final Pattern ESCAPE = Pattern.compile("\\\\(u[0-9a-fA-F]{4}|.)");

    int status() {
        return response.statusCode();
    }

    String body() {
        return response.body();
    }

    /** The header's value, or an empty text. */
    String header(String name) {
        return response.headers().firstValue(name).orElse("");
    }

    /** The first text called {@code name} in the body, or an empty text. */
    String text(String name) {
        Matcher field =
                Pattern.compile("\"" + name + "\":\"((?:[^\"\\\\]|\\\\.)*)\"").matcher(body());
        return field.find() ? ESCAPE.matcher(field.group(1)).replaceAll(Answer::unescaped) : "";
    }

    /** The first whole number called {@code name} in the body. */
    long number(String name) {
        Matcher field = Pattern.compile("\"" + name + "\":(-?[0-9]+)").matcher(body());
        if (!field.find()) {
            throw new IllegalStateException("no number " + name + " in " + this);
        }
        return Long.parseLong(field.group(1));
    }

    private static String unescaped(MatchResult escape) {
        char letter = escape.group(1).charAt(0);
        String meant = letter == 'u'
                ? String.valueOf((char) Integer.parseInt(escape.group(1).substring(1), 16))
                : letter == 'n' ? "\n" : String.valueOf(letter);
        return Matcher.quoteReplacement(meant);
    }

    @Override
    public String toString() {
        return status() + " " + body();
    }
}
