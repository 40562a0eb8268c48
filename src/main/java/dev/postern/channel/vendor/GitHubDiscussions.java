package dev.postern.channel.vendor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.channel.Channel.Message;
import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.vendor.HttpResult.Lost;
import dev.postern.channel.vendor.HttpResult.Response;
import java.time.InstantSource;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * The discussions of GitHub, which its GraphQL API alone can comment on. A first request finds the discussion's id, and for
 * an attempt that may be a repeat its last comments too.
 *
 * @param address the address of the GraphQL API
 * @param judge interprets a response that is no success
 * @see <a href="https://docs.github.com/graphql/guides/using-the-graphql-api-for-discussions">Discussions</a>
 */
record GitHubDiscussions(
        String address, VendorHttpClient http, VendorResponses responses, Function<Response, Outcome> judge) {

    private static final String FIND =
            """
            query($owner: String!, $name: String!, $number: Int!, $last: Int!) {
              repository(owner: $owner, name: $name) {
                discussion(number: $number) { id comments(last: $last) { nodes { id body } } }
              }
            }""";
    private static final String ADD =
            """
            mutation($id: ID!, $body: String!, $client: String!) {
              addDiscussionComment(input: {discussionId: $id, body: $body, clientMutationId: $client}) {
                comment { id }
              }
            }""";

    /** Number of comments among which the one of an earlier attempt is searched. */
    private static final int LAST = 100;

    /** Comments on the discussion {@code number} of {@code repository}, an owner and a name. */
    Outcome send(Message message, String repository, int number, Map<String, String> headers) {
        int slash = repository.indexOf('/');
        ObjectNode find = query(FIND);
        find.withObject("/variables")
                .put("owner", repository.substring(0, slash))
                .put("name", repository.substring(slash + 1))
                .put("number", number)
                .put("last", message.maybeSent() ? LAST : 1);
        HttpResult found = http.query(address, headers, find);
        if (found instanceof Lost lost) {
            return new Later(null, responses.sentence(lost.fault()));
        }
        return responses.outcome(found, response -> {
            JsonNode discussion = response.body().at("/data/repository/discussion");
            String id = response.id("/data/repository/discussion/id");
            if (id == null) {
                return failure(response);
            }
            for (JsonNode comment : discussion.at("/comments/nodes")) {
                if (message.maybeSent() && comment.path("body").asText("").contains(CommentSearch.hiddenId(message))) {
                    return new Sent(comment.path("id").asText());
                }
            }
            return add(message, id, headers);
        });
    }

    private Outcome add(Message message, String discussion, Map<String, String> headers) {
        ObjectNode add = query(ADD);
        add.withObject("/variables")
                .put("id", discussion)
                .put("body", CommentSearch.marked(message))
                .put("client", message.id());
        return responses.outcome(http.post(address, headers, add), response -> {
            String id = response.id("/data/addDiscussionComment/comment/id");
            return id == null ? failure(response) : new Sent(id);
        });
    }

    /** The outcome of a response without the wanted data: the first error says why, also with status 200. */
    private Outcome failure(Response response) {
        if (!response.isGood() || response.text("/errors/0/type") == null) {
            return judge.apply(response);
        }
        String code = response.code("/errors/0/type");
        return switch (code) {
            case "RATE_LIMIT", "RATE_LIMITED" -> responses.limited(response.pausing(until(response)), code);
            case "FORBIDDEN", "INSUFFICIENT_SCOPES" ->
                responses.refused(code, "give the token write access to the repository's discussions");
            case "NOT_FOUND" -> responses.refused(code, "there is no such thing, or the token can't see it");
            default -> responses.refused(code);
        };
    }

    private OptionalDouble until(Response response) {
        InstantSource clock = http.clock();
        return response.pause() == null
                ? OptionalDouble.of(GitHubLimits.seconds(response, clock))
                : OptionalDouble.empty();
    }

    private static ObjectNode query(String text) {
        ObjectNode body = VendorHttpClient.object().put("query", text);
        body.putObject("variables");
        return body;
    }
}
