package dev.postern.ingress;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonBodyTest {

    @ParameterizedTest
    @MethodSource("invalidFiles")
    void refusesWhatTheParsingSuiteCallsInvalid(Path file) throws IOException {
        byte[] body = Files.readAllBytes(file);

        if (body.length > 0) {
            assertThat(JsonBody.read(body)).isInstanceOf(JsonBody.Malformed.class);
        }
    }

    @ParameterizedTest
    @MethodSource("validFiles")
    void takesWhatTheParsingSuiteCallsValid(Path file) throws IOException {
        assertThat(JsonBody.read(Files.readAllBytes(file))).isInstanceOf(JsonBody.Value.class);
    }

    @Test
    void saysWhereTheFaultIsAndNeverQuotesTheBody() {
        assertThat(malformed("{\n  \"secret\": hunter2\n}"))
                .startsWith("The body is not valid JSON (line 2, column ")
                .doesNotContain("hunter2", "secret");
    }

    @Test
    void saysWhereUtf8Ends() {
        assertThat(((JsonBody.Malformed) JsonBody.read(new byte[] {'{', '\n', '"', (byte) 0xff, '"', '}'})).sentence())
                .isEqualTo("The body is not UTF-8 (line 2, column 2).");
    }

    @Test
    void refusesACharacterThatIsCutOffAtTheEnd() {
        assertThat(JsonBody.read(new byte[] {'"', (byte) 0xe4, (byte) 0xb8})).isInstanceOf(JsonBody.Malformed.class);
    }

    @Test
    void refusesAnyOtherEncoding() {
        assertThat(JsonBody.read("{\"text\":\"a\"}".getBytes(UTF_16LE))).isInstanceOf(JsonBody.Malformed.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{} {}", "{},", "1 2", "{'a':1}", "{a:1}", "[1,]", "// no\n{}", "NaN", "{\"a\":01}", "  "})
    void refusesWhatOnlyLaxParsersTake(String body) {
        assertThat(JsonBody.read(body.getBytes(UTF_8))).isInstanceOf(JsonBody.Malformed.class);
    }

    @Test
    void boundsNesting() {
        assertThat(JsonBody.read(("[".repeat(200) + "]".repeat(200)).getBytes(UTF_8)))
                .isInstanceOf(JsonBody.Value.class);
        assertThat(malformed("[".repeat(201) + "]".repeat(201)))
                .startsWith("The body passes a limit: 200 levels of nesting");
        assertThat(malformed("[".repeat(250_000))).startsWith("The body passes a limit");
    }

    @Test
    void boundsNumbersAndNames() {
        assertThat(JsonBody.read("9".repeat(1000).getBytes(UTF_8))).isInstanceOf(JsonBody.Value.class);
        assertThat(malformed("9".repeat(1001))).startsWith("The body passes a limit");
        assertThat(JsonBody.read(("{\"" + "n".repeat(10_000) + "\":1}").getBytes(UTF_8)))
                .isInstanceOf(JsonBody.Value.class);
        assertThat(malformed("{\"" + "n".repeat(10_001) + "\":1}")).startsWith("The body passes a limit");
    }

    @Test
    void saysWhereALimitIsPassed() {
        assertThat(malformed("{\n \"a\": " + "9".repeat(1001) + "}")).contains(" (line 2, column 100");
        assertThat(malformed("{\n\"" + "n".repeat(10_001) + "\":1}")).contains(" (line 2, column 1000");
        assertThat(malformed("[\n\n" + "[".repeat(200))).contains(" (line 3, column 20");
        assertThat(malformed("{\n  \"a\": 1e9999999999\n}")).contains(" (line 2, column 2");
        assertThat(malformed(" \n ")).isEqualTo("The body is not valid JSON (line 2, column 2).");
    }

    @Test
    void takesATextAsLongAsABodyMayBe() {
        int length = 30_000_000;

        assertThat(value("{\"text\":\"" + "a".repeat(length) + "\"}")
                        .get("text")
                        .textValue())
                .hasSize(length);
    }

    @Test
    void takesAnEmptyBodyForAnEmptyObject() {
        assertThat(value("").isObject()).isTrue();
        assertThat(JsonBody.read("\uFEFF".getBytes(UTF_8))).isInstanceOf(JsonBody.Malformed.class);
    }

    @Test
    void skipsOneByteOrderMark() {
        assertThat(value("\uFEFF{\"a\":1}").get("a").intValue()).isEqualTo(1);
        assertThat(JsonBody.read("\uFEFF\uFEFF{}".getBytes(UTF_8))).isInstanceOf(JsonBody.Malformed.class);
    }

    @Test
    void letsTheLastOfRepeatedNamesWin() {
        assertThat(value("{\"a\":1,\"a\":2}").get("a").intValue()).isEqualTo(2);
    }

    private static com.fasterxml.jackson.databind.JsonNode value(String body) {
        return ((JsonBody.Value) JsonBody.read(body.getBytes(UTF_8))).json();
    }

    private static String malformed(String body) {
        return ((JsonBody.Malformed) JsonBody.read(body.getBytes(UTF_8))).sentence();
    }

    private static Stream<Path> invalidFiles() throws IOException, URISyntaxException {
        return suite("n_");
    }

    private static Stream<Path> validFiles() throws IOException, URISyntaxException {
        return suite("y_");
    }

    private static Stream<Path> suite(String prefix) throws IOException, URISyntaxException {
        Path folder = Path.of(JsonBodyTest.class.getResource("/json-suite").toURI());
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix)).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.10", "1e5", "1E+5", "0.1e-7", "-0.0", "12345678901234567890.5", "1e400"})
    void keepsANumberAsItWasSent(String number) {
        JsonBody body = JsonBody.read(("[" + number + "]").getBytes(UTF_8));

        assertThat(((JsonBody.Value) body).json().get(0).asText()).isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e9999999999", "-1E-99999999999"})
    void refusesAnExponentOutOfAllBounds(String number) {
        assertThat(malformed(number)).startsWith("The body has a number whose exponent is out of all bounds (line 1, ");
    }
}
