package dev.postern.channel.vendor;

import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.vendor.HttpResult.Lost;
import dev.postern.channel.vendor.HttpResult.Response;
import dev.postern.channel.vendor.HttpResult.Unsent;
import dev.postern.model.Secret;
import dev.postern.net.OAuthTokenCache;
import java.util.function.Function;

/** An access token or the reason why there is none, exactly one of these. */
sealed interface AccessToken {

    record Granted(Secret value) implements AccessToken {}

    /** A token that was not granted; {@code outcome} is that of the message, which was not sent. */
    record Denied(Outcome outcome) implements AccessToken {}

    /**
     * The access token of {@code result}.
     *
     * @param responses interpreter of the responses of the service that grants tokens
     * @param judge interprets a response without a token
     */
    static AccessToken of(
            OAuthTokenCache.Result result,
            VendorHttpClient http,
            VendorResponses responses,
            Function<Response, Outcome> judge) {
        if (result instanceof OAuthTokenCache.Result.Granted granted) {
            return new Granted(granted.token());
        }
        HttpResult httpResult = result instanceof OAuthTokenCache.Result.Denied denied
                ? http.answer(denied.status(), denied.headers(), denied.body())
                : unanswered(((OAuthTokenCache.Result.NoResponse) result).cause());
        return new Denied(responses.outcome(httpResult, judge));
    }

    /** The result of a request for a token that got no response; even if it was lost, the message was not sent. */
    private static HttpResult unanswered(Exception cause) {
        HttpResult httpResult = VendorHttpClient.failed(cause);
        return httpResult instanceof Lost lost ? new Unsent(lost.fault()) : httpResult;
    }
}
