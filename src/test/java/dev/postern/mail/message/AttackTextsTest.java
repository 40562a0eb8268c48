package dev.postern.mail.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Tests that texts written to break out of the boundary around untrusted content pass unchanged. They are made harmless
 * where they are used; here they are neither lost nor joined to other text.
 */
class AttackTextsTest {

    private static final JsonMapper JSON = new JsonMapper();
    private static final int MAX_SHORT = 400;

    private final MailReader reader = new MailReader("ann@example.com", true, 200_000);

    @Test
    void comeThroughInSubjectNameAndBody() throws Exception {
        List<String> texts = texts();
        assertThat(texts).hasSizeGreaterThan(100);
        for (String text : texts) {
            String word = "=?utf-8?B?" + base64(SingleLineText.cut(text, MAX_SHORT)) + "?=";
            String mail = "From: " + word + " <eve@example.net>\r\nSubject: " + word
                    + "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n"
                    + base64(text);

            JsonNode message = JSON.readTree(reader.read(
                                    MailFiles.message(mail.getBytes(StandardCharsets.US_ASCII)),
                                    new ServerMetadata("7-1", null, null, List.of()))
                            .payload())
                    .path("messages")
                    .path(0);

            assertThat(letters(message.path("body").asText())).isEqualTo(letters(text));
            assertThat(letters(message.path("subject").asText()))
                    .isEqualTo(letters(SingleLineText.cut(text, MAX_SHORT)));
            assertThat(message.path("from").asText())
                    .contains("eve@example.net")
                    .doesNotContain("\n");
            assertThat(letters(
                            message.path("from").asText().replace("\\\"", "\"").replace("\\\\", "\\")))
                    .contains(letters(SingleLineText.cut(text, MAX_SHORT)));
        }
    }

    /** {@code text} without white space and control characters, and with U+FFFD for unpaired surrogates. */
    private static String letters(String text) {
        StringBuilder letters = new StringBuilder();
        text.codePoints()
                .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xFFFD : c)
                .filter(c -> !Character.isISOControl(c) && !SingleLineText.isSpace(c))
                .forEach(letters::appendCodePoint);
        return letters.toString();
    }

    /** Encodes {@code text}; an unpaired surrogate has no bytes, so it is sent as U+FFFD. */
    private static String base64(String text) {
        StringBuilder sendable = new StringBuilder();
        for (int i = 0; i < text.length(); ) {
            int c = SingleLineText.codePointAt(text, i);
            sendable.appendCodePoint(c);
            i += Character.charCount(c);
        }
        return Base64.getEncoder().encodeToString(sendable.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> texts() throws Exception {
        List<String> texts = new ArrayList<>();
        try (InputStream file =
                Objects.requireNonNull(AttackTextsTest.class.getResourceAsStream("/attacks/boundary-attacks.json"))) {
            for (JsonNode attack : JSON.readTree(file).path("attacks")) {
                if (attack.has("text")) {
                    texts.add(attack.path("text").asText());
                }
            }
        }
        return texts;
    }
}
