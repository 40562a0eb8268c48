package dev.postern.mail;

import dev.postern.config.MailboxSettings.Login;
import dev.postern.config.MailboxSettings.Oauth;
import dev.postern.mail.MailException.Kind;
import dev.postern.model.Secret;
import dev.postern.net.AccessTokenSource;
import dev.postern.net.HttpConnections;
import dev.postern.net.OAuthTokenCache;
import dev.postern.net.OAuthTokenCache.Result.Denied;
import dev.postern.net.OAuthTokenCache.Result.Granted;
import dev.postern.net.OAuthTokenCache.Result.NoResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The access tokens for XOAUTH2, which a token service grants for a refresh token (RFC 6749, section 6). If the service
 * returns another refresh token, that one is stored and used from then on. The watch and a channel may share it.
 */
public final class MailAccessTokens implements AccessTokenSource {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final Oauth oauth;
    private final RefreshToken refreshToken;
    private final OAuthTokenCache tokens;

    MailAccessTokens(Oauth oauth, RefreshToken refreshToken, HttpConnections connections, InstantSource clock) {
        this.oauth = oauth;
        this.refreshToken = refreshToken;
        this.tokens =
                new OAuthTokenCache(connections, clock, TIMEOUT, () -> OAuthTokenCache.request(oauth.tokenUrl(), form())
                        .build());
    }

    /**
     * The tokens of an OAuth login, which are requested with {@code refreshToken}; null for another login.
     *
     * @param connections connections to the token service
     */
    public static @Nullable MailAccessTokens of(
            @Nullable Login login,
            @Nullable RefreshToken refreshToken,
            HttpConnections connections,
            InstantSource clock) {
        return login instanceof Oauth oauth && refreshToken != null
                ? new MailAccessTokens(oauth, refreshToken, connections, clock)
                : null;
    }

    @Override
    public void forget() {
        tokens.forget();
    }

    @Override
    public boolean isFresh() {
        return tokens.isFresh();
    }

    @Override
    public synchronized OAuthTokenCache.Result current() {
        OAuthTokenCache.Result result = tokens.current();
        if (result instanceof Granted granted) {
            @Nullable Secret next = granted.refreshToken();
            if (next != null) {
                refreshToken.exchange(next);
            }
        }
        return result;
    }

    /** A token that is valid for a while. */
    Secret granted() throws MailException {
        OAuthTokenCache.Result result = current();
        if (result instanceof Granted granted) {
            return granted.token();
        }
        throw result instanceof Denied denied ? denied(denied) : unanswered((NoResponse) result);
    }

    private MailException denied(Denied denied) {
        String error = denied.body().path("error").asText("");
        String answer = "no access token can be had: " + oauth.tokenUrl().getHost() + " answers " + denied.status()
                + (error.matches("[a-z_]{1,40}") ? " " + error : "");
        return denied.isOutage()
                ? new MailException(Kind.UNREACHABLE, answer)
                : new MailException(
                        Kind.LOGIN,
                        answer
                                + "; check hooks.gmail.oauth, and ask for a new refresh token where this one was withdrawn");
    }

    private MailException unanswered(NoResponse noResponse) {
        return noResponse.cause() instanceof InterruptedException
                ? new MailException(Kind.LOST, "interrupted while asking for an access token", noResponse.cause())
                : new MailException(
                        Kind.UNREACHABLE,
                        "no access token can be had: " + oauth.tokenUrl().getHost() + " does not answer as it should",
                        noResponse.cause());
    }

    private Map<String, String> form() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("grant_type", "refresh_token");
        fields.put("client_id", oauth.clientId());
        @Nullable Secret secret = oauth.clientSecret();
        if (secret != null) {
            fields.put("client_secret", secret.reveal());
        }
        fields.put("refresh_token", refreshToken.current().reveal());
        return fields;
    }
}
