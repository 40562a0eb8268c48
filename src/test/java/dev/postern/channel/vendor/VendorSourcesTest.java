package dev.postern.channel.vendor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that each response in the vendors' descriptions names where it was seen. */
class VendorSourcesTest {

    /** The words for a detail that no published description has; Postern must not depend on it. */
    private static final String ASSUMED = "not found in a published description; assumed";

    /** A path in a repository, an address, a specification, or a description that the file's head names. */
    private static final Pattern SOURCE = Pattern.compile(
            "(ours|spec|docs|schema|source|slack-api-ref|RFC [0-9]+|https://|[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)\\b.*");

    private static Path directory() throws URISyntaxException {
        return Path.of(Objects.requireNonNull(VendorSourcesTest.class.getResource("/vendors"))
                .toURI());
    }

    static Stream<File> files() throws URISyntaxException {
        return Arrays.stream(
                Objects.requireNonNull(directory().toFile().listFiles((ignored, name) -> name.endsWith(".json"))));
    }

    @Test
    void findsTheDescriptions() throws URISyntaxException {
        assertThat(files().map(File::getName))
                .contains("github.json", "slack.json")
                .hasSizeGreaterThan(14);
    }

    @ParameterizedTest
    @MethodSource("files")
    void eachResponseNamesItsSource(File file) throws Exception {
        JsonNode description = VendorFile.JSON.readTree(file);
        assertThat(description.path("info").has("x-origin") || description.has("x-origin"))
                .isTrue();

        for (JsonNode each : description.path("x-cases")) {
            String name = each.path("name").textValue();
            String source = each.path("source").asText("");
            assertThat(source).as(name).doesNotContainIgnoringCase("memory").doesNotContainIgnoringCase("made up");
            if (each.has("assumed")) {
                assertThat(source).as(name).endsWith(ASSUMED);
                assertThat(each.path("assumed")).as(name).isNotEmpty();
            } else {
                assertThat(source).as(name).doesNotContain("assumed");
                assertThat(source).as(name).matches(SOURCE);
            }
        }
    }
}
