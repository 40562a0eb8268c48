package dev.postern.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A test with real bodies of senders; {@code manifest.json} names fields of each that a mapping would pick, and their
 * values.
 */
class RealPayloadsTest {

    private static final Path FOLDER = Path.of("src/test/resources/payloads");
    private static final ObjectMapper JSON = new ObjectMapper();

    static Stream<JsonNode> files() throws IOException {
        List<JsonNode> entries = new ArrayList<>();
        JSON.readTree(FOLDER.resolve("manifest.json").toFile()).forEach(entries::add);
        return entries.stream();
    }

    @ParameterizedTest
    @MethodSource("files")
    void handsOnTheFieldsThatATemplateNames(JsonNode file) throws IOException {
        JsonNode payload = JSON.readTree(body(file));

        assertThat(messageOf(
                        file,
                        field -> "${"
                                + expression(
                                        payload,
                                        JsonPointer.compile(field.get("pointer").textValue())) + "}"))
                .isEqualTo(values(file, field -> true));
    }

    @ParameterizedTest
    @MethodSource("files")
    void handsOnTheFieldsThatAPlaceholderNames(JsonNode file) throws IOException {
        String expected = values(file, RealPayloadsTest::hasPath);

        assertThat(messageOf(file, field -> hasPath(field) ? "{{" + placeholder(field) + "}}" : ""))
                .isEqualTo(expected);
    }

    private static String messageOf(JsonNode file, Function<JsonNode, String> template) throws IOException {
        List<String> parts = new ArrayList<>();
        for (JsonNode field : file.get("expect")) {
            parts.add(template.apply(field));
        }
        String message = parts.stream().filter(part -> !part.isEmpty()).collect(Collectors.joining("|", "<", ">"));
        return MappingFixture.of(MappingFixture.agent("sender", message)).message("sender", body(file));
    }

    private static byte[] body(JsonNode file) throws IOException {
        return Files.readAllBytes(FOLDER.resolve(file.get("file").textValue()));
    }

    private static String values(JsonNode file, Predicate<JsonNode> wanted) {
        List<String> values = new ArrayList<>();
        for (JsonNode field : file.get("expect")) {
            if (wanted.test(field)) {
                values.add(field.get("value").asText());
            }
        }
        return values.stream().collect(Collectors.joining("|", "<", ">"));
    }

    private static boolean hasPath(JsonNode field) {
        return !field.get("path").isNull();
    }

    private static String placeholder(JsonNode field) {
        String path = field.get("path").textValue();
        return path.startsWith("[") ? "payload" + path : "payload." + path;
    }

    /** A JSON pointer (RFC 6901) as a FreeMarker expression. */
    private static String expression(JsonNode payload, JsonPointer pointer) {
        StringBuilder expression = new StringBuilder("payload");
        JsonNode node = payload;
        for (JsonPointer rest = pointer; !rest.matches(); rest = rest.tail()) {
            expression
                    .append('[')
                    .append(node.isArray() ? rest.getMatchingProperty() : TextNode.valueOf(rest.getMatchingProperty()))
                    .append(']');
            node = node.isArray() ? node.get(rest.getMatchingIndex()) : node.get(rest.getMatchingProperty());
        }
        return expression.toString();
    }
}
