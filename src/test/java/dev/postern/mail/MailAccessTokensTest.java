package dev.postern.mail;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import dev.postern.config.MailboxSettings.Oauth;
import dev.postern.config.ReplaceableSecret;
import dev.postern.mail.MailException.Kind;
import dev.postern.model.Secret;
import dev.postern.net.HttpConnections;
import java.net.URI;
import java.time.InstantSource;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MailAccessTokensTest {

    private static final String REFRESH_TOKEN = "refresh-1x9kW2";

    @RegisterExtension
    static final WireMockExtension SERVICE = WireMockExtension.newInstance()
            .options(wireMockConfig().dynamicPort())
            .build();

    private final Oauth oauth = new Oauth(
            URI.create(SERVICE.baseUrl() + "/token"),
            "client",
            null,
            new ReplaceableSecret(new Secret(REFRESH_TOKEN), null));
    private final RefreshToken refreshToken = Objects.requireNonNull(RefreshToken.inMemory(oauth));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "400|{\"error\":\"invalid_grant\"}|LOGIN|answers 400 invalid_grant; check hooks.gmail.oauth",
                "200|{}|LOGIN|answers 200; check hooks.gmail.oauth",
                "503|{\"error\":\"Down, refresh-1x9kW2!\"}|UNREACHABLE|answers 503",
                "200|<html>|UNREACHABLE|answers 200"
            })
    void tellsARefusedLoginFromAServiceThatIsDown(int status, String body, Kind kind, String words) {
        SERVICE.stubFor(post("/token").willReturn(aResponse().withStatus(status).withBody(body)));

        assertThatThrownBy(this::current)
                .hasMessageContaining("no access token can be had: localhost " + words)
                .hasMessageNotContaining(REFRESH_TOKEN)
                .isInstanceOfSatisfying(
                        MailException.class, fault -> assertThat(fault.kind()).isEqualTo(kind));
    }

    @Test
    void takesTheRefreshTokenThatComesWithAnAccessToken() throws MailException {
        SERVICE.stubFor(post("/token")
                .willReturn(aResponse().withBody("{\"access_token\":\"one\",\"refresh_token\":\"refresh-2\"}")));

        assertThat(current()).isEqualTo(new Secret("one"));
        assertThat(refreshToken.exchanged()).contains(new Secret("refresh-2"));
    }

    private Secret current() throws MailException {
        try (HttpConnections connections = new HttpConnections(Runnable::run)) {
            return new MailAccessTokens(oauth, refreshToken, connections, InstantSource.system()).granted();
        }
    }
}
