package dev.postern.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Senders' real bodies; {@code manifest.json} names fields of each that a mapping would pick, and their values. */
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
        assertThat(messageOf(file, field -> "${" + expression(field.get("pointer").textValue()) + "}"))
                .isEqualTo(values(file, field -> true));
    }

    @ParameterizedTest
    @MethodSource("files")
    void handsOnTheFieldsThatAPlaceholderNames(JsonNode file) throws IOException {
        String expected = values(file, RealPayloadsTest::hasPath);

        assertThat(messageOf(file, field -> hasPath(field) ? "{{" + placeholder(field) + "}}" : ""))
                .isEqualTo(expected);
    }

    private static String messageOf(JsonNode file, java.util.function.Function<JsonNode, String> template)
            throws IOException {
        List<String> parts = new ArrayList<>();
        for (JsonNode field : file.get("expect")) {
            parts.add(template.apply(field));
        }
        String message = parts.stream().filter(part -> !part.isEmpty()).collect(Collectors.joining("|", "<", ">"));
        return Mapper.of(Mapper.agent("sender", message))
                .message("sender", Files.readAllBytes(FOLDER.resolve(file.get("file").textValue())));
    }

    private static String values(JsonNode file, java.util.function.Predicate<JsonNode> wanted) {
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
    private static String expression(String pointer) {
        return Arrays.stream(pointer.substring(1).split("/", -1))
                .map(key -> key.replace("~1", "/").replace("~0", "~"))
                .map(key -> key.matches("[0-9]+") ? "[" + key + "]" : "[\"" + key.replace("\"", "\\\"") + "\"]")
                .collect(Collectors.joining("", "payload", ""));
    }
}
