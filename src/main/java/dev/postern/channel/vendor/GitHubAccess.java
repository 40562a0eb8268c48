package dev.postern.channel.vendor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Probe;
import dev.postern.channel.vendor.HttpResult.Response;
import dev.postern.model.Secret;
import dev.postern.net.OAuthTokenCache;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.security.GeneralSecurityException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The access to GitHub: a configured token, or the tokens that GitHub grants to an installation of an app for an hour.
 *
 * @see <a href="https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app">Authenticating with a
 *     GitHub App</a>
 */
final class GitHubAccess {

    private static final Map<String, String> HEADERS =
            Map.of("Accept", "application/vnd.github+json", "X-GitHub-Api-Version", "2022-11-28");

    private final ChannelEntry entry;
    private final VendorHttpClient http;
    private final VendorResponses responses;
    private final AccessToken configured;
    private final @Nullable OAuthTokenCache tokens;

    GitHubAccess(ChannelEntry entry, VendorHttpClient http) {
        this.entry = entry;
        this.http = http;
        String token = entry.secret("token");
        VendorResponses service = token == null
                ? new VendorResponses(
                        "GitHub",
                        "app",
                        entry.setting("appId") + ", " + entry.setting("installationId") + " and "
                                + entry.setting("privateKey"),
                        entry.setting("baseUrl"))
                : entry.service("GitHub", "token", "token");
        this.responses = service.limitingAccount();
        this.configured = token == null
                ? new AccessToken.Denied(new Refused(entry.setting("privateKey") + " holds no RSA key in PEM"))
                : new AccessToken.Granted(new Secret(token));
        this.tokens = token == null ? tokens() : null;
    }

    private @Nullable OAuthTokenCache tokens() {
        GitHubAppKey key;
        try {
            key = new GitHubAppKey(entry.requiredSecret("privateKey"));
        } catch (GeneralSecurityException | IllegalArgumentException unreadable) {
            return null;
        }
        URI address = URI.create(entry.at(
                "/app/installations/" + VendorHttpClient.encoded(entry.option("installationId")) + "/access_tokens"));
        return new OAuthTokenCache(
                http.connections(), http.clock(), http.timeout(), () -> request(address, key), this::inOAuthForm);
    }

    private HttpRequest request(URI address, GitHubAppKey key) {
        String proof = key.token(entry.option("appId"), http.clock().instant());
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .version(HttpClient.Version.HTTP_1_1)
                .header("User-Agent", http.agent())
                .header("Authorization", "Bearer " + proof)
                .POST(HttpRequest.BodyPublishers.noBody());
        HEADERS.forEach(request::header);
        return request.build();
    }

    /** The response of GitHub, {@code token} and {@code expires_at}, in the form of RFC 6749. */
    private JsonNode inOAuthForm(JsonNode granted) {
        ObjectNode form = VendorHttpClient.object()
                .put("access_token", granted.path("token").asText(""));
        try {
            Instant end = Instant.parse(granted.path("expires_at").asText(""));
            form.put("expires_in", Duration.between(http.clock().instant(), end).toSeconds());
        } catch (DateTimeException none) {
            form.put("expires_in", 0);
        }
        return form;
    }

    /** The interpreter of GitHub's responses, which names the settings of this access. */
    VendorResponses responses() {
        return responses;
    }

    /**
     * The outcome of {@code send} with the headers of each request.
     *
     * @param send sends a message with headers
     */
    Outcome with(Function<Map<String, String>, Outcome> send) {
        AccessToken token = token();
        return token instanceof AccessToken.Granted granted
                ? send.apply(headers(granted))
                : ((AccessToken.Denied) token).outcome();
    }

    /** The verdict on the credentials: {@code ask} for a configured token, while an app is only granted one. */
    Probe probe(Function<Map<String, String>, Probe> ask) {
        if (tokens != null) {
            tokens.forget();
        }
        AccessToken token = token();
        if (token instanceof AccessToken.Granted granted) {
            return tokens == null ? ask.apply(headers(granted)) : new Probe.Good(null);
        }
        return responses.bad(((AccessToken.Denied) token).outcome());
    }

    /** The outcome if GitHub refuses the token; a token that was granted to an app may only be out of date. */
    Outcome refused(String code) {
        if (tokens == null) {
            return responses.badCredential(code);
        }
        tokens.forget();
        return new Later(null, "GitHub refused the app's access token (" + code + ")");
    }

    private AccessToken token() {
        return tokens == null ? configured : AccessToken.of(tokens.current(), http, responses, this::judge);
    }

    private Outcome judge(Response response) {
        String code = response.statusCode();
        return switch (response.status()) {
            case 401, 403, 404, 422 ->
                GitHubLimits.isReached(response)
                        ? responses.limited(GitHubLimits.pausing(response, http.clock()), code)
                        : responses.badCredential(code);
            default -> responses.byStatus(GitHubLimits.pausing(response, http.clock()), code);
        };
    }

    private static Map<String, String> headers(AccessToken.Granted granted) {
        Map<String, String> headers = new HashMap<>(HEADERS);
        headers.put("Authorization", "Bearer " + granted.value().reveal());
        return headers;
    }
}
