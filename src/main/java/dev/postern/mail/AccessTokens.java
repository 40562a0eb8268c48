package dev.postern.mail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postern.config.MailWatch.Oauth;
import dev.postern.mail.MailFault.Kind;
import dev.postern.model.Secret;
import dev.postern.net.Connections;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Access tokens for XOAUTH2, asked for with a refresh token (RFC 6749, section 6) and used until shortly before their end.
 * Where the service hands out another refresh token, that one is kept, and used from then on. For one thread.
 */
final class AccessTokens {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Duration EARLY = Duration.ofMinutes(2);
    private static final int MOST_BYTES = 65_536;

    private final Oauth oauth;
    private final Connections connections;
    private final InstantSource clock;
    private final RefreshToken refreshToken;
    private @Nullable Secret token;
    private Instant until = Instant.MIN;

    AccessTokens(Oauth oauth, RefreshToken refreshToken, Connections connections, InstantSource clock) {
        this.oauth = oauth;
        this.connections = connections;
        this.clock = clock;
        this.refreshToken = refreshToken;
    }

    /** Forgets the token, since the server refused it. */
    void forget() {
        token = null;
    }

    /** Whether there is a token that can be used for a while. */
    boolean isFresh() {
        return token != null && clock.instant().isBefore(until);
    }

    /** A token that can be used for a while. */
    Secret current() throws MailFault {
        @Nullable Secret kept = token;
        return kept != null && isFresh() ? kept : asked();
    }

    private Secret asked() throws MailFault {
        HttpRequest request = HttpRequest.newBuilder(oauth.tokenUrl())
                .timeout(TIMEOUT)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Accept", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(form()))
                .build();
        try {
            HttpResponse<InputStream> response = connections.client().send(request, BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                JsonNode json = new ObjectMapper().readTree(body.readNBytes(MOST_BYTES));
                return granted(response.statusCode(), json);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MailFault(Kind.LOST, "interrupted while asking for an access token", e);
        } catch (IOException e) {
            throw new MailFault(
                    Kind.UNREACHABLE, "no access token can be had: " + host() + " does not answer as it should", e);
        }
    }

    private Secret granted(int status, JsonNode json) throws MailFault {
        String value = json.path("access_token").asText("");
        if (status != 200 || value.isEmpty()) {
            String error = json.path("error").asText("");
            throw new MailFault(
                    Kind.LOGIN,
                    "no access token can be had: " + host() + " answers " + status
                            + (error.matches("[a-z_]{1,40}") ? " " + error : "")
                            + "; check hooks.gmail.oauth, and ask for a new refresh token where this one was withdrawn");
        }
        String next = json.path("refresh_token").asText("");
        if (!next.isEmpty()) {
            refreshToken.exchange(new Secret(next));
        }
        Secret granted = new Secret(value);
        Duration lasts = Duration.ofSeconds(json.path("expires_in").asLong(3600));
        until = clock.instant()
                .plus(lasts.compareTo(EARLY.multipliedBy(2)) > 0 ? lasts.minus(EARLY) : lasts.dividedBy(2));
        token = granted;
        return granted;
    }

    private String form() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("grant_type", "refresh_token");
        fields.put("client_id", oauth.clientId());
        @Nullable Secret secret = oauth.clientSecret();
        if (secret != null) {
            fields.put("client_secret", secret.reveal());
        }
        fields.put("refresh_token", refreshToken.current().reveal());
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    private String host() {
        return String.valueOf(oauth.tokenUrl().getHost());
    }
}
