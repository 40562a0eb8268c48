package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the known mail providers against the settings that are published for them. */
class KnownMailProviderTest {

    private static final Map<String, String> PORTS = Map.of("tls", "465", "starttls", "587");

    static Stream<JsonNode> published() throws IOException {
        try (InputStream file = KnownMailProviderTest.class.getResourceAsStream("/vendors/mail.json")) {
            return StreamSupport.stream(
                    new ObjectMapper().readTree(file).path("x-settings").spliterator(), false);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x@example.com", "x@gmail.com.example.com", "gmail.com@example.com", "x@", "x"})
    void knowsNoOther(String address) {
        assertThat(KnownMailProvider.of(address)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "imap.example.com", "gmail.com", "smtp.gmail.com"})
    void knowsNoOtherServer(String host) {
        assertThat(KnownMailProvider.at(host)).isEmpty();
    }

    @Test
    void knowsOnlyWhatIsPublished() throws IOException {
        assertThat(KnownMailProvider.KNOWN)
                .extracting(KnownMailProvider::domains)
                .containsExactlyElementsOf(
                        published().map(each -> strings(each.path("domains"))).toList());
    }

    @ParameterizedTest
    @MethodSource("published")
    void hasTheServersThatArePublished(JsonNode settings) {
        assertThat(settings.path("source").textValue()).matches("(https://|thunderbird/autoconfig ispdb/).+");
        String host = settings.path("imap").textValue().replace(":993", "");
        List<Optional<KnownMailProvider>> found = settings.path("domains").isEmpty()
                ? List.of(KnownMailProvider.at(host))
                : strings(settings.path("domains")).stream()
                        .map(domain -> KnownMailProvider.of("x@" + domain.toUpperCase(Locale.ROOT)))
                        .toList();

        assertThat(found).allSatisfy(provider -> {
            assertThat(provider).isPresent();
            assertThat(provider.orElseThrow().host()).isEqualTo(host);
            Map<String, String> channel = AnswerChannelOptions.takenFrom(
                    new HashMap<>(Map.of("answerTo", "*", "account", "x@example.com", "host", host)), provider);
            String security = channel.get("security");
            assertThat(channel).doesNotContainKey("port");
            assertThat(strings(settings.path("smtp")))
                    .contains(channel.get("host") + ":" + PORTS.get(security) + " " + security);
        });
    }

    private static List<String> strings(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::textValue)
                .toList();
    }
}
