package dev.postern.it.standalone;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.Strictness;
import dev.postern.it.openapi.ActualRequest;
import dev.postern.it.openapi.ActualResponse;
import dev.postern.it.openapi.OpenApi;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A check of what a connection has received: whole HTTP responses, none of which is an internal error or tells of the inside. */
final class RawResponseCheck {

    private static final Gson STRICT =
            new GsonBuilder().setStrictness(Strictness.STRICT).create();
    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.[01] ([1-5][0-9][0-9]) [\\x20-\\x7e]*");
    private static final Pattern HEADER =
            Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?([\\x20-\\x7e\\x80-\\xff]*)");
    /** What no response has; those that show an operator what senders have sent may hold their stack traces. */
    private static final Pattern INSIDE = Pattern.compile("dev\\.postern\\.|org\\.(apache|glassfish|sqlite)");

    private static final Pattern EXCEPTION = Pattern.compile("java\\.(lang|io|util)\\.|\tat |Exception");
    /** The body of Tomcat for what is no request, which has no head if the connection's processor met HTTP/0.9 last. */
    private static final Pattern WITHOUT_HEAD =
            Pattern.compile("<!doctype html><html lang=\"en\"><head><title>HTTP Status [45][0-9]{2} [^\\r\\n]*</html>");

    private static final Pattern HTTP_09 =
            Pattern.compile("\\b[A-Za-z]++[ \\t]++[^ \\t\\r\\n]*+(?: HTTP/0[^\\r\\n]*+)?\\r?\\n");
    private static final Pattern ANSWER =
            Pattern.compile("HTTP/1\\.1 4|<!doctype html><html lang=\"en\"><head><title>HTTP Status");
    private static final Set<String> ERROR = Set.of("ok", "error", "code", "field");

    private final URI site;
    private final List<String> secrets;

    /**
     * A deviation from whole responses that an input allows.
     *
     * @param isCutOff the last one may be a part
     * @param mayLackBody one to HEAD has no body, whatever its length
     * @param mayLackHead one to HTTP/0.9 is a body alone
     */
    private record Tolerance(boolean isCutOff, boolean mayLackBody, boolean mayLackHead) {

        static final Tolerance NONE = new Tolerance(false, false, false);

        static Tolerance of(String sent, boolean isCutOff) {
            return new Tolerance(
                    isCutOff, sent.contains("HEAD"), HTTP_09.matcher(sent).find());
        }
    }

    /** @param secrets words that no response may have */
    RawResponseCheck(URI site, List<String> secrets) {
        this.site = site;
        this.secrets = secrets;
    }

    /** The statuses of the responses that {@code received} is; throws where it is not as it should be. */
    List<Integer> statuses(String sent, String received, boolean isCutOff) {
        Matcher inside = INSIDE.matcher(received);
        require(!inside.find(), "a response tells of the inside: %s", received);
        require(secrets.stream().noneMatch(received::contains), "a response has a secret: %s", received);
        List<ActualResponse> responses = new ArrayList<>();
        require(isRead(received, Tolerance.of(sent, isCutOff), responses), "not whole HTTP responses: %s", received);
        responses.forEach(RawResponseCheck::check);
        responses.stream()
                .filter(response -> response.status() >= 200)
                .findFirst()
                .ifPresent(first ->
                        ActualRequest.of(sent, site, "hooks").ifPresent(request -> OpenApi.check(request, first)));
        return responses.stream().map(ActualResponse::status).toList();
    }

    /** Whether {@code text} holds a response to its end. */
    static boolean isWhole(String text) {
        List<ActualResponse> responses = new ArrayList<>();
        return isRead(text, Tolerance.NONE, responses)
                && responses.stream().anyMatch(response -> response.status() == 204 || hasLength(response.headers()));
    }

    /** The declared length of a body; 0 where there is none. */
    private static int length(Map<String, List<String>> headers) {
        return Integer.parseInt(
                headers.getOrDefault("Content-Length", List.of("0")).get(0));
    }

    private static boolean hasLength(Map<String, List<String>> headers) {
        return headers.containsKey("Content-Length") || headers.containsKey("Transfer-Encoding");
    }

    /**
     * Whether {@code text} is responses one after the other, which are added to {@code responses}. A response with a length may
     * have no body: that of a HEAD request.
     */
    private static boolean isRead(String text, Tolerance tolerance, List<ActualResponse> responses) {
        if (text.isEmpty() || WITHOUT_HEAD.matcher(text).matches()) {
            return true;
        }
        if (!text.startsWith("HTTP/")) {
            return tolerance.mayLackHead();
        }
        int end = text.indexOf("\r\n\r\n");
        if (end < 0) {
            return tolerance.isCutOff();
        }
        String[] lines = text.substring(0, end).split("\r\n", -1);
        Matcher status = STATUS_LINE.matcher(lines[0]);
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (int i = 1; i < lines.length; i++) {
            Matcher header = HEADER.matcher(lines[i]);
            if (!header.matches()) {
                return false;
            }
            headers.computeIfAbsent(header.group(1), name -> new ArrayList<>()).add(header.group(2));
        }
        if (!status.matches()) {
            return false;
        }
        String rest = text.substring(end + 4);
        int code = Integer.parseInt(status.group(1));
        boolean hasNoBody = tolerance.mayLackBody()
                && (rest.isEmpty()
                        || rest.startsWith("HTTP/1.")
                        || ANSWER.matcher(rest).lookingAt()
                        || (tolerance.mayLackHead() && rest.length() < length(headers)));
        StringBuilder body = new StringBuilder();
        int bodyEnd = hasNoBody ? 0 : bodyEnd(code, headers, rest, body);
        if (bodyEnd > 0 && !hasLength(headers) && tolerance.isCutOff()) {
            return true; // its end is that of the connection, which may have come early
        }
        if (bodyEnd < 0) {
            return tolerance.isCutOff();
        }
        responses.add(new ActualResponse(code, headers, utf8(body.toString())));
        return isRead(rest.substring(bodyEnd), tolerance, responses);
    }

    /** Where the body ends that begins {@code rest}, and is added to {@code body}; -1 where it doesn't end. */
    private static int bodyEnd(int code, Map<String, List<String>> headers, String rest, StringBuilder body) {
        if (code < 200 || code == 204 || code == 304) {
            return 0;
        }
        if (headers.containsKey("Transfer-Encoding")) {
            int at = 0;
            for (int line = rest.indexOf("\r\n"); line >= 0; line = rest.indexOf("\r\n", at)) {
                int size = Integer.parseInt(rest.substring(at, line), 16);
                int next = line + 2 + size + 2;
                if (next > rest.length() || !rest.startsWith("\r\n", next - 2)) {
                    return -1;
                }
                body.append(rest, line + 2, next - 2);
                if (size == 0) {
                    return next;
                }
                at = next;
            }
            return -1;
        }
        // Tomcat answers once more, with 400, behind a response that ends the connection.
        Matcher next = ANSWER.matcher(rest);
        int length = next.find() ? next.start() : rest.length();
        if (headers.containsKey("Content-Length")) {
            length = length(headers);
        }
        if (length > rest.length()) {
            return -1;
        }
        body.append(rest, 0, length);
        return length;
    }

    private static void check(ActualResponse response) {
        int status = response.status();
        boolean isOurs = response.headers().containsKey("X-Content-Type-Options");
        require(status != 500 && status != 502, "an internal error: %s", response);
        require(status < 501 || status == 503 || !isOurs, "a status that Postern never sends: %s", response);
        require(
                status != 503 || response.headers().containsKey("Retry-After"),
                "it says not when to come again: %s",
                response);
        require(
                status < 400 || !EXCEPTION.matcher(response.body()).find(),
                "an error tells of the inside: %s",
                response);
        String type =
                response.headers().getOrDefault("Content-Type", List.of("")).get(0);
        require(response.body().isEmpty() || !type.isEmpty(), "a body without a type: %s", response);
        if (response.body().isEmpty() || !type.startsWith("application/json")) {
            return;
        }
        JsonElement json;
        try {
            json = STRICT.fromJson(response.body(), JsonElement.class);
        } catch (JsonParseException e) {
            throw new AssertionError("no JSON: " + response, e);
        }
        if (status >= 400) {
            JsonObject error = json.getAsJsonObject();
            boolean isError = ERROR.containsAll(error.keySet())
                    && error.has("error")
                    && error.has("code")
                    && error.has("ok")
                    && !error.get("ok").getAsBoolean();
            require(isError || error.has("status") || error.has("problems"), "an error of another form: %s", response);
        }
    }

    private static String utf8(String latin1) {
        return new String(latin1.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private static void require(boolean isRight, String sentence, Object response) {
        if (!isRight) {
            throw new AssertionError(String.format(sentence, response));
        }
    }
}
