package dev.postern.net;

/** A source of access tokens for one account, safe for use by many threads. */
public interface AccessTokenSource {

    /** A token that can be used for a while, or the reason why there is none. */
    OAuthTokenCache.Result current();

    /** Whether there is a token that can be used for a while. */
    boolean isFresh();

    /** Discards the token after a service has refused it. */
    void forget();
}
