package dev.postern.channel.vendor;

import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.vendor.HttpResult.Response;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;

/**
 * A channel to GitHub, which comments on issues, pull requests, commits and discussions, with a token or as an app. Each
 * comment hides its id in an HTML comment. An attempt that may be a repeat first searches for that id, because GitHub
 * detects no duplicates.
 *
 * @see <a href="https://docs.github.com/rest/issues/comments">Issue comments</a>
 * @see <a href="https://docs.github.com/rest/commits/comments">Commit comments</a>
 */
final class GitHubChannel extends ApiChannel {

    /** A repository's owner and name. */
    private static final String REPOSITORY =
            "(?<repository>[A-Za-z0-9][A-Za-z0-9_-]{0,99}/(?!\\.{1,2}[#@/])[A-Za-z0-9._-]{1,100})";

    private static final RecipientForm RECIPIENT = new RecipientForm(
            REPOSITORY
                    + "(#(?<issue>[1-9][0-9]{0,8})|/discussions/(?<discussion>[1-9][0-9]{0,8})"
                    + "|@(?<commit>[0-9a-fA-F]{7,64}))",
            "to is no recipient on GitHub: write an issue or a pull request such as owner/repo#12, a discussion such as"
                    + " owner/repo/discussions/12, or a commit such as owner/repo@1a2b3c4");

    /** The end of the REST API's address on GitHub Enterprise Server, where GraphQL has another one. */
    private static final String ENTERPRISE = "/api/v3";

    /** The time by which the clocks of GitHub and of this machine may differ. */
    private static final Duration SKEW = Duration.ofMinutes(10);

    private final GitHubAccess access;
    private final CommentSearch search;
    private final GitHubDiscussions discussions;

    GitHubChannel(ChannelEntry entry, VendorHttpClient http) {
        this(entry, http, new GitHubAccess(entry, http));
    }

    private GitHubChannel(ChannelEntry entry, VendorHttpClient http, GitHubAccess access) {
        super(entry, http, access.responses(), entry.commentMarkup(), RECIPIENT);
        this.access = access;
        this.search = new CommentSearch(vendorResponses, this::judge);
        this.discussions = new GitHubDiscussions(graphQl(entry.at("")), http, vendorResponses, this::judge);
    }

    private static String graphQl(String rest) {
        return rest.endsWith(ENTERPRISE)
                ? rest.substring(0, rest.length() - ENTERPRISE.length()) + "/api/graphql"
                : rest + "/graphql";
    }

    @Override
    public boolean recognisesRepeats() {
        return true;
    }

    @Override
    Outcome send(Message message, Matcher recipient) {
        String repository = recipient.group("repository");
        return access.with(headers -> recipient.group("discussion") == null
                ? comment(message, comments(repository, recipient), headers)
                : discussions.send(message, repository, Integer.parseInt(recipient.group("discussion")), headers));
    }

    private String comments(String repository, Matcher to) {
        return entry.at("/repos/" + repository)
                + (to.group("issue") == null ? "/commits/" + to.group("commit") : "/issues/" + to.group("issue"))
                + "/comments";
    }

    private Outcome comment(Message message, String comments, Map<String, String> headers) {
        Optional<Outcome> known = message.maybeSent() ? earlier(message, comments, headers) : Optional.empty();
        return known.orElseGet(() -> {
            var body = VendorHttpClient.object().put("body", CommentSearch.marked(message));
            return vendorResponses.outcome(
                    following(http.post(comments, headers, body), moved -> http.post(moved, headers, body)),
                    this::judge);
        });
    }

    /** The outcome if an earlier attempt has left the comment; commit comments can't be searched by time. */
    private Optional<Outcome> earlier(Message message, String comments, Map<String, String> headers) {
        Instant since = message.createdAt().minus(SKEW).truncatedTo(ChronoUnit.SECONDS);
        return search.outcome(
                CommentSearch.hiddenId(message),
                new CommentSearch.Listing(
                        "/body",
                        false,
                        page -> following(
                                http.list(
                                        comments + "?since=" + since + "&per_page=" + CommentSearch.PAGE + "&page="
                                                + page,
                                        headers),
                                moved -> http.list(moved, headers))));
    }

    /**
     * The result of {@code repeat} at the new address, if {@code result} names one of the same service: that of a repository
     * with a new name, or of an issue that was transferred.
     *
     * @see <a href="https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api">Follow
     *     redirects</a>
     */
    private HttpResult following(HttpResult result, Function<String, HttpResult> repeat) {
        if (!(result instanceof Response response) || response.status() / 100 != 3) {
            return result;
        }
        return response.headers()
                .firstValue("Location")
                .filter(this::isAtGitHub)
                .map(repeat)
                .orElse(result);
    }

    private boolean isAtGitHub(String address) {
        try {
            return entry.isAtBaseUrl(new URI(address));
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** Asks whose the token is; an app's is granted, which proves the app's credentials. */
    @Override
    public Probe probe() {
        return access.probe(headers -> vendorResponses.probe(http.get(entry.at("/user"), headers), response -> {
            String login = response.isGood() ? response.name("/login") : null;
            return login == null ? vendorResponses.bad(judge(response)) : entry.valid(login, login);
        }));
    }

    private Outcome judge(Response response) {
        String code = response.statusCode();
        if (response.isGood()) {
            String id = response.id("/id");
            return id == null ? vendorResponses.unclear(code) : new Sent(id);
        }
        Response pausing = GitHubLimits.pausing(response, http.clock());
        if (GitHubLimits.isReached(response)) {
            return vendorResponses.limited(pausing, code);
        }
        return switch (response.status()) {
            case 401 -> access.refused(code);
            case 403 ->
                vendorResponses.refused(
                        code,
                        "give the token write access to the repository's issues, pull requests or contents, and check"
                                + " that the conversation is not locked");
            case 404, 410 ->
                response.body().isContainerNode()
                        ? vendorResponses.refused(code, "there is no such thing, or the token can't see it")
                        : vendorResponses.byStatus(response, code);
            default -> vendorResponses.byStatus(pausing, code);
        };
    }
}
