package dev.postern.it.standalone;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A service whose issues people and Posterns comment on: what a channel posts there, and the event that tells of it. */
enum CommentService {
    GITHUB("github", "octocat/hello#12") {
        @Override
        String channel(String account, String token, String address) {
            return "{token: " + token + ", account: " + account + ", baseUrl: '" + address + "'}";
        }

        @Override
        Posted read(String path, String json) {
            return new Posted(UUID.randomUUID().toString(), first(TEXT_BODY, json), "{\"id\":7}");
        }

        @Override
        String event(String account, Posted comment) {
            return """
                    {"action":"created","issue":{"number":12,"title":"Slow","html_url":"https://github.example/12"},
                    "comment":{"body":"%s","html_url":"https://github.example/12#1"},
                    "repository":{"full_name":"octocat/hello"},"sender":{"login":"%s","type":"User"}}"""
                    .formatted(comment.text(), account);
        }

        @Override
        Map<String, String> headers(String signature) {
            return Map.of(
                    "X-GitHub-Event",
                    "issue_comment",
                    "X-GitHub-Delivery",
                    UUID.randomUUID().toString(),
                    "X-Hub-Signature-256",
                    "sha256=" + signature);
        }
    },
    JIRA("jira", "SHOP-42") {
        @Override
        String channel(String account, String token, String address) {
            return "{email: " + account + ", token: " + token + ", account: " + account + ", baseUrl: '" + address
                    + "'}";
        }

        /** Jira converts the document to its wiki markup for an event, and escapes what has a meaning there. */
        @Override
        Posted read(String path, String json) {
            String text = NODE_TEXT
                    .matcher(json)
                    .results()
                    .map(found -> found.group(1))
                    .collect(Collectors.joining(" "));
            return new Posted(UUID.randomUUID().toString(), text.replace("_", "\\\\_"), "{\"id\":\"7\"}");
        }

        @Override
        String event(String account, Posted comment) {
            String author = "{\"accountId\":\"%1$s\",\"displayName\":\"%1$s\",\"accountType\":\"atlassian\"}"
                    .formatted(account);
            return """
                    {"webhookEvent":"comment_created","comment":{"id":"1","author":%1$s,"updateAuthor":%1$s,"body":"%2$s",
                    "jsdPublic":true},"issue":{"id":"10217","key":"SHOP-42",
                    "self":"https://jira.example/rest/api/2/issue/10217","fields":{"summary":"Slow"}}}"""
                    .formatted(author, comment.text());
        }

        @Override
        Map<String, String> headers(String signature) {
            return Map.of(
                    "X-Atlassian-Webhook-Identifier",
                    UUID.randomUUID().toString(),
                    "X-Hub-Signature",
                    "sha256=" + signature);
        }
    },
    LINEAR("linear", "f9a37fcf-eb52-44be-a52c-0477f70e9952") {
        @Override
        String channel(String account, String token, String address) {
            return "{apiKey: " + token + ", account: " + account + ", baseUrl: '" + address + "'}";
        }

        @Override
        Posted read(String path, String json) {
            String id = first(ID, json);
            return new Posted(
                    id,
                    first(TEXT_BODY, json),
                    "{\"data\":{\"commentCreate\":{\"success\":true,\"comment\":{\"id\":\"" + id + "\"}}}}");
        }

        @Override
        String event(String account, Posted comment) {
            return """
                    {"action":"create","type":"Comment","actor":{"id":"%1$s","type":"user","name":"%1$s"},
                    "data":{"id":"%2$s","body":"%3$s","issueId":"f9a37fcf-eb52-44be-a52c-0477f70e9952","userId":"%1$s",
                    "issue":{"id":"f9a37fcf-eb52-44be-a52c-0477f70e9952","title":"Slow"}},
                    "url":"https://linear.example/WEB-46","webhookTimestamp":%4$d}"""
                    .formatted(account, comment.id(), comment.text(), System.currentTimeMillis());
        }

        @Override
        Map<String, String> headers(String signature) {
            return Map.of(
                    "Linear-Event",
                    "Comment",
                    "Linear-Delivery",
                    UUID.randomUUID().toString(),
                    "Linear-Signature",
                    signature);
        }
    };

    private static final String JSON_TEXT = "\"((?:[^\"\\\\]|\\\\.)*)\"";
    private static final Pattern TEXT_BODY = Pattern.compile("\"body\":" + JSON_TEXT);
    private static final Pattern NODE_TEXT = Pattern.compile("\"text\":" + JSON_TEXT);
    private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-f-]{36})\"");

    private final String preset;
    private final String place;

    CommentService(String preset, String place) {
        this.preset = preset;
        this.place = place;
    }

    /**
     * A comment that a channel posted.
     *
     * @param text as an event holds it, and as JSON spells it
     * @param response the body of the response
     */
    record Posted(String id, String text, String response) {}

    /** The name of the preset and of the channel. */
    String preset() {
        return preset;
    }

    /** The issue, as a recipient of the channel. */
    String place() {
        return place;
    }

    /** The channel that comments as {@code account}. */
    abstract String channel(String account, String token, String address);

    /** The comment in a request to {@code path}. */
    abstract Posted read(String path, String json);

    /** The body of the event that tells of {@code comment}. */
    abstract String event(String account, Posted comment);

    /** The headers of an event. */
    abstract Map<String, String> headers(String signature);

    /** The same headers, as names and values in turn. */
    final String[] headerLine(String signature) {
        return new HashMap<>(headers(signature))
                .entrySet().stream()
                        .flatMap(header -> List.of(header.getKey(), header.getValue()).stream())
                        .toArray(String[]::new);
    }

    private static String first(Pattern pattern, String json) {
        Matcher matcher = pattern.matcher(json);
        return matcher.results()
                .map((MatchResult found) -> found.group(1))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no comment: " + json));
    }
}
