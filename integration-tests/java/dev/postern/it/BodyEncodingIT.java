package dev.postern.it;

import static dev.postern.it.ResponseAssert.assertThatResponse;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of bodies that are compressed or forms, where the mapping takes them. */
class BodyEncodingIT extends DeploymentFixture {

    private static final int MAX_BYTES = 200_000;
    private static final String SECRET = "the sender's secret";
    private static final String FORM = "application/x-www-form-urlencoded";

    @Deployment(testable = false)
    static WebArchive postern() {
        DeploymentHome home = DeploymentHome.with(
                "encoded",
                List.of(
                        "maxBodyBytes: " + MAX_BYTES,
                        "allowedSessionKeyPrefixes: ['hook:']",
                        "presets: [github]",
                        "signingSecrets: {github: '${file:secrets/sender}'}",
                        "mappings:",
                        "  - {match: {path: packed}, messageTemplate: x, sessionKey: 'hook:${payload.id}', body: {gzip: true},"
                                + " verify: {scheme: github, secret: '${file:secrets/sender}'}}",
                        "  - {match: {path: wrapped}, messageTemplate: x, sessionKey: 'hook:${payload.id}', body: {form: payload}}",
                        "  - {match: {path: fields}, messageTemplate: x, sessionKey: 'hook:${payload.id}-${payload}',"
                                + " body: {form: fields}}",
                        "  - {match: {path: plain}, messageTemplate: x}"));
        home.write("secrets/sender", SECRET);
        return home.war();
    }

    @ParameterizedTest
    @ValueSource(strings = {"br", "deflate", "gzip, gzip", "gzip;q=1", "x", ""})
    void refusesOtherCodings(String coding) {
        RawResponse rawResponse = packed("packed", gzip("{}"), coding).send();

        assertThatResponse(rawResponse)
                .isError(415, "unsupported_media_type")
                .hasHeader("Accept-Encoding", "gzip, identity");
        assertThatResponse(packed("packed", gzip("{}"))
                        .header("Content-Encoding", coding)
                        .send())
                .isError(415, "unsupported_media_type");
    }

    @ParameterizedTest
    @ValueSource(strings = {"wake", "agent", "plain", "none"})
    void refusesACompressedBodyWhereNoMappingTakesIt(String hook) {
        assertThatResponse(packed(hook, gzip("{\"text\": \"a\", \"message\": \"b\"}"))
                        .send())
                .isError(415, "unsupported_media_type")
                .hasNoHeader("Accept-Encoding");
    }

    @Test
    void refusesWhatIsNotGzipOrBrokeOff() {
        byte[] whole = gzip("{\"id\": \"a\"}");

        assertThatResponse(packed("packed", "{\"id\": \"a\"}".getBytes(UTF_8)).send())
                .isError(400, "invalid_payload")
                .says("not gzip");
        assertThatResponse(
                        packed("packed", Arrays.copyOf(whole, whole.length - 5)).send())
                .isError(400, "invalid_payload");
        whole[whole.length - 6] ^= 1;
        assertThatResponse(packed("packed", whole).send()).isError(400, "invalid_payload");
        assertThatResponse(packed("packed", gzip("{\"id\": ")).send()).isError(400, "invalid_json");
    }

    @Test
    void refusesContentThatIsTooLargeOrExpandsTooFar() {
        String large = "{\"id\": \"" + "x".repeat(MAX_BYTES) + "\"}";
        String random = "{\"id\": \""
                + new Random(7)
                        .ints(MAX_BYTES, 'a', 'z')
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                + "\"}";

        assertThatResponse(packed("packed", gzip(large)).send())
                .isError(413, "payload_too_large")
                .says("100 times");
        assertThatResponse(packed("packed", gzip(random)).send())
                .isError(413, "payload_too_large")
                .says("the " + MAX_BYTES + " bytes")
                .says("(hooks.maxBodyBytes)");
        byte[] bomb = gzip(" ".repeat(100_000_000));
        assertThatResponse(packed("packed", bomb).send()).isError(413, "payload_too_large");
    }

    @Test
    void readsACompressedBodyAsTheBodyItIs() {
        String body = "{\"id\": \"größer\", \"more\": \"" + "x".repeat(60_000) + "\"}";

        assertThat(sessionKey(packed("packed", gzip(body)).send())).isEqualTo("hook:größer");
        assertThat(packed("packed", gzip("{\"id\": \"b\"}")).send().text("sessionKey"))
                .isEqualTo("hook:b");
        assertThatResponse(post("hooks/packed", "{\"id\": \"c\"}").send()).isOk(202);
        assertThatResponse(packed("packed", new byte[0]).send()).isOk(202);
    }

    @Test
    void comparesTheSignatureWithTheBytesThatCame() {
        byte[] body = gzip("{\"id\": \"signed\"}");

        RawResponse rawResponse =
                signed("packed", body, body).header("Content-Encoding", "gzip").send();
        assertThatResponse(rawResponse).isOk(202);
        assertThat(rawResponse.text("sessionKey")).isEqualTo("hook:signed");
        assertThatResponse(signed("packed", body, "{\"id\": \"signed\"}".getBytes(UTF_8))
                        .header("Content-Encoding", "gzip")
                        .send())
                .isError(401, "signature_invalid");
        byte[] bomb = gzip(" ".repeat(10_000_000));
        assertThatResponse(signed("packed", bomb, new byte[0])
                        .header("Content-Encoding", "gzip")
                        .send())
                .isError(401, "signature_invalid");
        RawResponse refused =
                signed("packed", bomb, bomb).header("Content-Encoding", "gzip").send();
        assertThatResponse(refused).isError(413, "payload_too_large");
        assertThat(refused.header("X-Request-Id").orElse("")).startsWith("req_");
    }

    @Test
    void readsThePayloadOfAForm() {
        assertThat(sessionKey(form("wrapped", "a=b&payload=" + encoded("{\"id\": \"ä b\"}") + "&payloads=1")))
                .isEqualTo("hook:ä b");
        assertThatResponse(to("hooks/wrapped")
                        .method("POST", "{\"id\": \"curl\"}")
                        .header("Content-Type", FORM)
                        .bearer(token())
                        .send())
                .isOk(202);
        assertThatResponse(form("plain", "payload=%7B%7D"))
                .isError(415, "unsupported_media_type")
                .says("body: {form: payload}");
        assertThatResponse(post("hooks/wrapped", "payload=%7B%7D").send())
                .isError(415, "unsupported_media_type")
                .says("its Content-Type is not application/x-www-form-urlencoded");
        assertThatResponse(form("agent", "message=x"))
                .isError(415, "unsupported_media_type")
                .says("Send JSON");
    }

    @ParameterizedTest
    @CsvSource({
        "a=b, no field payload",
        "payload=%7B%7D&payload=%7B%7D, more than one field payload",
        "payload=%7B, field payload is not valid JSON",
        "payload=, no field",
        "payload=%zz, malformed escape",
        "payload=%C3, not UTF-8",
        "payload=%7B%7D&%FF=1, not UTF-8",
    })
    void refusesAFormWithoutAPayload(String form, String why) {
        RawResponse rawResponse = form("wrapped", form);
        if (form.equals("payload=")) {
            assertThatResponse(rawResponse).isOk(202); // as an empty body
        } else {
            assertThatResponse(rawResponse).isError(400, "invalid_payload").says(why);
        }
    }

    @Test
    void readsTheFieldsOfAForm() {
        assertThat(form("fields", "id=1&to=a&to=b&to=c&text=x+y%2Bz&empty").text("sessionKey"))
                .isEqualTo("hook:1-{\"id\":\"1\",\"to\":[\"a\",\"b\",\"c\"],\"text\":\"x y+z\",\"empty\":\"\"}");
        assertThatResponse(form("fields", "a&".repeat(1_001)))
                .isError(400, "invalid_payload")
                .says("1000 fields");
    }

    @Test
    void takesGitHubsOtherContentType() {
        String json =
                "{\"action\":\"opened\",\"issue\":{\"number\":7,\"title\":\"A\",\"html_url\":\"https://example.com\"},"
                        + "\"repository\":{\"full_name\":\"o/r\"},\"sender\":{\"login\":\"ada\"}}";
        byte[] body = ("payload=" + encoded(json)).getBytes(UTF_8);

        RawResponse rawResponse = signed("github", body, body)
                .header("Content-Type", FORM)
                .header("X-GitHub-Event", "issues")
                .header("X-GitHub-Delivery", "72d3162e-cc78-11e3-81ab-4c9367dc0958")
                .send();

        assertThatResponse(rawResponse).isOk(202);
        assertThat(rawResponse.text("sessionKey")).isEqualTo("hook:github:o/r:issue:7");
    }

    /** The session's key in the response, which is UTF-8. */
    private static String sessionKey(RawResponse rawResponse) {
        return new String(rawResponse.text("sessionKey").getBytes(ISO_8859_1), UTF_8);
    }

    private RawResponse form(String hook, String body) {
        return to("hooks/" + hook)
                .method("POST", body)
                .header("Content-Type", FORM + "; charset=utf-8")
                .bearer(token())
                .send();
    }

    private Request packed(String hook, byte[] body) {
        return packed(hook, body, "GZIP");
    }

    private Request packed(String hook, byte[] body, String coding) {
        return to("hooks/" + hook).bytes(body).bearer(token()).header("Content-Encoding", coding);
    }

    /** A request that is signed as if its body were {@code content}. */
    private Request signed(String hook, byte[] body, byte[] content) {
        return to("hooks/" + hook)
                .bytes(body)
                .header(
                        "X-Hub-Signature-256",
                        "sha256=" + HexFormat.of().formatHex(SigningSender.hmac(SECRET.getBytes(UTF_8), content)));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    private static byte[] gzip(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
