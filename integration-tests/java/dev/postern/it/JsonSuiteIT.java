package dev.postern.it;

import static dev.postern.it.ResponseAssert.assertThatResponse;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A test that sends every file of the JSON parsing suite to wake: {@code n_} is invalid, {@code y_} valid, {@code i_}
 * is either.
 */
class JsonSuiteIT extends DeploymentFixture {

    /** An empty body counts as an empty object. */
    private static final String EMPTY = "n_structure_no_data.json";

    @Deployment(testable = false)
    static WebArchive postern() {
        return DeploymentHome.empty("json-suite").war();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("invalid")
    void refusesWhatIsInvalid(Path file) throws IOException {
        if (file.getFileName().toString().equals(EMPTY)) {
            assertThatResponse(send(file)).isError(400, "invalid_payload", "text");
        } else {
            assertThatResponse(send(file)).isError(400, "invalid_json");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("valid")
    void readsWhatIsValid(Path file) throws IOException {
        RawResponse rawResponse = send(file);

        assertThat(rawResponse.status()).isIn(200, 400);
        if (rawResponse.status() == 400) {
            assertThat(rawResponse.text("code")).isEqualTo("invalid_payload");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("either")
    void answersTheSameTwiceWhereEitherIsRight(Path file) throws IOException {
        RawResponse rawResponse = send(file);

        assertThat(rawResponse.status()).isIn(200, 400);
        assertThat(send(file).status()).isEqualTo(rawResponse.status());
    }

    static List<Path> invalid() throws IOException, URISyntaxException {
        return files("n_");
    }

    static List<Path> valid() throws IOException, URISyntaxException {
        return files("y_");
    }

    static List<Path> either() throws IOException, URISyntaxException {
        return files("i_");
    }

    private RawResponse send(Path file) throws IOException {
        return get("hooks/wake").bytes(Files.readAllBytes(file)).send();
    }

    private static List<Path> files(String kind) throws IOException, URISyntaxException {
        Path suite = Path.of(JsonSuiteIT.class.getResource("/json-suite").toURI());
        try (Stream<Path> files = Files.list(suite)) {
            return files.filter(file -> file.getFileName().toString().startsWith(kind))
                    .sorted()
                    .toList();
        }
    }
}
