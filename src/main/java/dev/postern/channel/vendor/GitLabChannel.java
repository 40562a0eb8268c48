package dev.postern.channel.vendor;

import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.vendor.HttpResult.Response;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;

/**
 * A channel to GitLab, which comments on issues, merge requests and commits over the REST API. Each comment hides its id in
 * an HTML comment. An attempt that may be a repeat first searches for that id, because GitLab detects no duplicates.
 *
 * @see <a href="https://docs.gitlab.com/api/notes/">Notes API</a>
 * @see <a href="https://docs.gitlab.com/api/commits/">Commits API</a>
 */
final class GitLabChannel extends ApiChannel {

    /** A project's path: its groups and its name. */
    private static final String PROJECT =
            "(?<project>[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}(/[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}){1,20})";

    private static final RecipientForm RECIPIENT = new RecipientForm(
            PROJECT + "((?<kind>[#!])(?<number>[1-9][0-9]{0,9})|@(?<commit>[0-9a-fA-F]{7,64}))",
            "to is no recipient on GitLab: write an issue such as group/project#7, a merge request such as"
                    + " group/project!7, or a commit such as group/project@1a2b3c4");

    private final CommentSearch search;
    private final Map<String, String> headers;

    GitLabChannel(ChannelEntry entry, VendorHttpClient http) {
        super(
                entry,
                http,
                entry.service("GitLab", "token", "token").limitingAccount(),
                entry.commentMarkup(),
                RECIPIENT);
        this.search = new CommentSearch(vendorResponses, this::judge);
        this.headers = Map.of("PRIVATE-TOKEN", entry.requiredSecret("token"));
    }

    @Override
    public boolean recognisesRepeats() {
        return true;
    }

    @Override
    Outcome send(Message message, Matcher recipient) {
        String project = entry.at("/projects/" + VendorHttpClient.encoded(recipient.group("project")));
        if (recipient.group("commit") != null) {
            return send(
                    message, project + "/repository/commits/" + recipient.group("commit") + "/comments", "note", false);
        }
        String things = recipient.group("kind").equals("#") ? "/issues/" : "/merge_requests/";
        return send(message, project + things + recipient.group("number") + "/notes", "body", true);
    }

    /** Adds to the list at {@code comments}, whose comments have their text in {@code field}. */
    private Outcome send(Message message, String comments, String field, boolean sortable) {
        String query = sortable ? "?sort=desc&order_by=created_at&per_page=" : "?per_page=";
        Optional<Outcome> known = message.maybeSent()
                ? search.outcome(
                        CommentSearch.hiddenId(message),
                        new CommentSearch.Listing(
                                "/" + field,
                                sortable,
                                page -> http.list(comments + query + CommentSearch.PAGE + "&page=" + page, headers)))
                : Optional.empty();
        return known.orElseGet(() -> vendorResponses.outcome(
                http.post(comments, headers, VendorHttpClient.object().put(field, CommentSearch.marked(message))),
                this::judge));
    }

    @Override
    public Probe probe() {
        return vendorResponses.probe(http.get(entry.at("/user"), headers), response -> {
            String name = response.isGood() ? response.name("/username") : null;
            return name == null ? vendorResponses.bad(judge(response)) : entry.valid(name, name);
        });
    }

    /** Interprets a response; a comment on a commit has no id. */
    private Outcome judge(Response response) {
        String code = response.statusCode();
        if (response.isGood()) {
            String id = response.id("/id");
            return id != null || response.text("/note") != null ? new Sent(id) : vendorResponses.unclear(code);
        }
        return switch (response.status()) {
            case 403 ->
                isReadOnly(response)
                        ? vendorResponses.failing(response, code)
                        : vendorResponses.refused(
                                code, "give the token the scope api, and its account a role that may comment");
            case 404 ->
                response.body().isContainerNode()
                        ? vendorResponses.refused(code, "there is no such thing, or the token can't see it")
                        : vendorResponses.byStatus(response, code);
            default -> vendorResponses.byStatus(pausing(response), code);
        };
    }

    /**
     * Whether the whole instance takes no changes for now.
     *
     * @see <a href="https://docs.gitlab.com/administration/maintenance_mode/">Maintenance mode</a>
     */
    private static boolean isReadOnly(Response response) {
        return response.body().path("message").asText("").contains("read-only instance");
    }

    /**
     * The response with the pause until the rate limit is reset, unless it names another one.
     *
     * @see <a href="https://docs.gitlab.com/administration/settings/user_and_ip_rate_limits/">User and IP rate limits</a>
     */
    private Response pausing(Response response) {
        return response.pausingForLimit(response.until("RateLimit-Reset", http.clock()));
    }
}
