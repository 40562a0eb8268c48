package dev.postern.it.standalone;

import dev.postern.it.openapi.ActualRequest;
import dev.postern.it.openapi.ActualResponse;
import dev.postern.it.openapi.OpenApi;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An HTTP response that the web application's OpenAPI document describes, with a JSON body that is searched by names.
 *
 * @param hooks the path of the hooks, without a slash at either end
 */
record PosternResponse(HttpResponse<String> response, String hooks) {

    private static final Pattern ESCAPE = Pattern.compile("\\\\(u[0-9a-fA-F]{4}|.)");

    PosternResponse {
        URI address = response.uri();
        OpenApi.check(
                ActualRequest.of(response.request().method(), address, address.resolve("/"), hooks),
                new ActualResponse(response.statusCode(), response.headers().map(), response.body()));
    }

    /** An answer of a Postern that has its hooks where they usually are. */
    PosternResponse(HttpResponse<String> response) {
        this(response, "hooks");
    }

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
        return field.find() ? ESCAPE.matcher(field.group(1)).replaceAll(PosternResponse::unescaped) : "";
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
