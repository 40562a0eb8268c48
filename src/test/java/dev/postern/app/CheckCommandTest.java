package dev.postern.app;

import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import dev.postern.config.ConfigurationFixture;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class CheckCommandTest {

    @RegisterExtension
    static final WireMockExtension SERVICE = WireMockExtension.newInstance()
            .options(wireMockConfig().dynamicPort())
            .build();

    @TempDir
    Path home;

    @Test
    void showsTheAccountThatItsSettingsLack() {
        SERVICE.stubFor(get(urlPathEqualTo("/user")).willReturn(okJson("{\"login\":\"my-bot\"}")));
        String settings =
                """
                hooks:
                  enabled: true
                  token: a-token-that-is-long-enough-01
                  presets: [github]
                  presetReplyTo: {github: source}
                channels:
                  github: {token: ghp_good, baseUrl: '%1$s'}
                  other: {kind: github, baseUrl: '%1$s'}
                  known: {kind: github, token: ghp_known, account: me, baseUrl: '%1$s'}
                """
                        .formatted(SERVICE.baseUrl());

        assertThat(lines(settings, "1.0"))
                .contains("ok: channels.github: the credentials work (my-bot)")
                .noneMatch(line -> line.contains("channels.known"))
                .filteredOn(line -> line.startsWith("problem: "))
                .hasSize(2)
                .anyMatch(
                        line -> line.contains("channels.github.account") && line.endsWith("which check --online shows"))
                .anyMatch(line -> line.startsWith("problem: channels.other.token "));
        assertThat(lines(settings, null)).noneMatch(line -> line.startsWith("ok: "));
    }

    private Iterable<String> lines(String settings, String version) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int code = CheckCommand.run(
                ConfigurationFixture.yaml(home, settings).load(),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                version);
        assertThat(code).isEqualTo(1);
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
