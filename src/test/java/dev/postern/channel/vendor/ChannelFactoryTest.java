package dev.postern.channel.vendor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.channel.Channel;
import dev.postern.config.Settings;
import dev.postern.model.Recipient;
import dev.postern.model.Secret;
import dev.postern.net.HttpConnections;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ChannelFactoryTest {

    private static final Secret SECRET = new Secret("whsec_bWFyemlwYW4tYW5kLXF1aW5jZS1hbmQtcGx1bQ==");

    private final ChannelFactory channelFactory = new ChannelFactory(
            new VendorHttpClient(new HttpConnections(Runnable::run), InstantSource.system(), "1.2.3"));

    static Stream<String> kinds() {
        return Stream.concat(
                Recipient.CHATS.stream(),
                Stream.of("github", "gitlab", "jira", "linear", "pagerduty", "sentry", "mail", "webhook"));
    }

    private static Map<String, Secret> secrets() {
        Map<String, Secret> secrets = new TreeMap<>();
        Stream.of("accessToken", "botToken", "password", "appPassword", "secret", "token", "apiKey")
                .forEach(name -> secrets.put(name, SECRET));
        return secrets;
    }

    private Channel channel(String kind, Map<String, Secret> secrets) {
        Map<String, String> options = new TreeMap<>();
        Stream.of("baseUrl", "loginUrl").forEach(name -> options.put(name, "http://127.0.0.1:9"));
        Stream.of("phoneNumberId", "account", "appId", "tenantId", "email", "from")
                .forEach(name -> options.put(name, "1"));
        options.put("allowPrivateAddresses", "true");
        options.put("allowMentions", "false");
        options.put("textLimit", "100");
        options.put("port", "25");
        options.put("security", "none");
        options.put("host", "127.0.0.1");
        options.put("allow", "@example.com");
        options.put("maxPerRecipient", "1");
        return channelFactory.channel(new ChannelEntry(new Settings.Channel("ops", kind, options, secrets)));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void makesAChannelOfEveryKind(String kind) {
        assertThat(channel(kind, secrets()).parts("hello")).hasSize(1);
    }

    @Test
    void writesToTeamsByAFlowWhereOneIsConfigured() {
        Map<String, Secret> secrets = secrets();
        assertThat(channel("msteams", secrets)).isInstanceOf(TeamsBotChannel.class);

        secrets.put("webhookUrl", SECRET);
        assertThat(channel("msteams", secrets)).isInstanceOf(TeamsFlowChannel.class);
    }
}
