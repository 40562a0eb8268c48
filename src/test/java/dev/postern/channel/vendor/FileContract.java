package dev.postern.channel.vendor;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.http.Request;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.Channel.Outcome.Unsure;
import dev.postern.channel.FileChannel;
import dev.postern.channel.text.CodeFile;
import dev.postern.channel.text.MessagePart;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tests of every channel to a product that takes files. */
abstract class FileContract extends VendorContract {

    /** A time limit that the steps before the last one keep on a busy machine too. */
    private static final Duration STEP = Duration.ofSeconds(3);

    static final CodeFile FILE = new CodeFile("code-1.py", "print('" + TEXT + "')\r\n# \u00E9 \u6F22 --\n");

    /** The path of the request that shows the file, with its query. */
    abstract String filePath();

    /** The id of the message with the file in {@code body}, that of a response that is {@code ok}. */
    abstract String fileMessageId(JsonNode body);

    /** A step before the request that shows the file: its path, and the operation whose responses it has. */
    record Step(String path, String operation) {}

    /** The steps before the request that shows the file, in order. */
    List<Step> steps() {
        return List.of();
    }

    /** The response to {@code step} with which the file goes on. */
    ResponseDefinitionBuilder goingOn(Step step) {
        return file.ok(step.operation()).answer();
    }

    /** Makes the server take the file up to the request that shows it, and respond with {@code answer} to that. */
    final void answerFile(ResponseDefinitionBuilder answer) {
        answer(answer);
        for (Step step : steps()) {
            server.stubFor(any(urlEqualTo(step.path())).willReturn(goingOn(step)));
        }
    }

    final Outcome sendFile() {
        return sendFile(to());
    }

    final Outcome sendFile(String to) {
        return fileChannel(channel()).sendFile(message(to), FILE);
    }

    private static FileChannel fileChannel(Object channel) {
        return (FileChannel) channel;
    }

    /** The requests that show a file. */
    final List<LoggedRequest> shown() {
        return requests().stream()
                .filter(request -> request.getUrl().equals(filePath()))
                .toList();
    }

    /** The fields of a form with a file, each as JSON if it can be read as that. */
    static ObjectNode fields(LoggedRequest request) {
        ObjectNode fields = VendorFile.JSON.createObjectNode();
        for (Request.Part part : request.getParts()) {
            fields.set(part.getName(), value(part.getBody().asString()));
        }
        return fields;
    }

    private static JsonNode value(String text) {
        try {
            return VendorFile.JSON.readTree(text);
        } catch (com.fasterxml.jackson.core.JacksonException notJson) {
            return TextNode.valueOf(text);
        }
    }

    /** Asserts that the field {@code name} of a form is {@link #FILE}. */
    static void assertIsFile(LoggedRequest request, String name) {
        Request.Part part = request.getPart(name);
        assertThat(part.getBody().asBytes()).isEqualTo(FILE.bytes());
        assertThat(part.getHeader("Content-Disposition").firstValue()).contains("filename=\"code-1.py\"");
        assertThat(part.getHeader("Content-Type").firstValue()).isEqualTo("text/plain; charset=utf-8");
    }

    @TestFactory
    Stream<DynamicTest> understandsEveryAnswerToAFile() {
        return file.cases("file").stream()
                .map(each -> DynamicTest.dynamicTest(each.name(), () -> {
                    answerFile(each.answer());
                    Outcome outcome = sendFile();

                    assertOutcome(each, outcome);
                    if (each.outcome().equals("ok")) {
                        assertThat(outcome).isEqualTo(new Sent(fileMessageId(VendorFile.JSON.readTree(each.body()))));
                    }
                }));
    }

    @TestFactory
    Stream<DynamicTest> understandsEveryAnswerBeforeAFile() {
        return steps().stream().flatMap(step -> file.cases(step.operation()).stream()
                .filter(each -> !each.outcome().equals("ok"))
                .map(each -> DynamicTest.dynamicTest(each.name(), () -> {
                    answerFile(file.ok("file").answer());
                    server.stubFor(any(urlEqualTo(step.path())).willReturn(each.answer()));

                    assertOutcome(each, sendFile());
                    assertThat(shown()).isEmpty();
                })));
    }

    private void assertOutcome(VendorFile.Case each, Outcome outcome) {
        assertThat(outcome)
                .isInstanceOf(
                        switch (each.outcome()) {
                            case "ok" -> Sent.class;
                            case "retry" -> Later.class;
                            case "unknown" -> Unsure.class;
                            default -> Refused.class;
                        });
        assertThat(outcome.toString()).doesNotContain("rhubarb", "marzipan");
        if (each.outcome().equals("auth")) {
            assertThat(reason(outcome)).contains("channels.ops." + credential());
        }
        if (outcome instanceof Later later && each.pause() >= 0) {
            assertThat(later.pause()).isNotNull();
            assertThat(later.pause().toMillis() / 1000.0).isBetween(each.pause(), each.pause() + 1);
        }
    }

    @Test
    void waitsWithAFileAsLongAsItIsTold() {
        answerFile(status(429).withHeader("Retry-After", "7"));
        assertThat(((Later) sendFile()).pause()).isEqualTo(Duration.ofSeconds(7));

        for (Step step : steps()) {
            answerFile(file.ok("file").answer());
            server.stubFor(any(urlEqualTo(step.path())).willReturn(status(429).withHeader("Retry-After", "8")));
            assertThat(((Later) sendFile()).pause()).as(step.path()).isEqualTo(Duration.ofSeconds(8));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 503, 504})
    void triesAFileAgainWhenTheServerFails(int status) {
        answerFile(status(status));
        assertThat(sendFile()).isInstanceOf(Later.class);

        for (Step step : steps()) {
            answerFile(file.ok("file").answer());
            server.stubFor(any(urlEqualTo(step.path())).willReturn(status(status)));
            assertThat(sendFile()).as(step.path()).isInstanceOf(Later.class);
            assertThat(shown()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void isUnsureOnlyOfAFileThatMayBeSeen(Fault fault) {
        answerFile(aResponse().withFault(fault));
        assertThat(sendFile()).isInstanceOf(Unsure.class);

        for (Step step : steps()) {
            answerFile(file.ok("file").answer());
            server.stubFor(any(urlEqualTo(step.path())).willReturn(aResponse().withFault(fault)));
            assertThat(sendFile()).as(step.path()).isInstanceOf(Later.class);
            assertThat(shown()).isEmpty();
        }
    }

    @Test
    void isUnsureWhenNoAnswerToAFileComes() {
        answerFile(status(200).withFixedDelay(60_000));
        FileChannel impatient = fileChannel(new ChannelFactory(http().withTimeout(STEP)).channel(entry(url())));

        assertThat(impatient.sendFile(message(to()), FILE)).isInstanceOf(Unsure.class);
        assertThat(shown()).hasSize(1);
    }

    @Test
    void sendsTheSameFileInEachAttempt() {
        answerFile(file.ok("file").answer());
        Outcome first = sendFile();
        List<byte[]> bodies = requests().stream().map(LoggedRequest::getBody).toList();
        answerFile(file.ok("file").answer());

        assertThat(sendFile()).isEqualTo(first);
        assertThat(requests().stream().map(LoggedRequest::getBody)).containsExactlyElementsOf(bodies);
    }

    @Test
    void doesNotFollowARedirectOfAFile() {
        for (String path : Stream.concat(steps().stream().map(Step::path), Stream.of(filePath()))
                .toList()) {
            answerFile(file.ok("file").answer());
            server.stubFor(any(urlEqualTo(path)).willReturn(status(307).withHeader("Location", url() + "/elsewhere")));

            assertThat(sendFile()).as(path).isInstanceOf(Refused.class);
            assertThat(requests()).extracting(LoggedRequest::getUrl).doesNotContain("/elsewhere");
        }
    }

    @Test
    void tellsNobodyWhatTheFileHolds() {
        String echo = "{\"ok\":false,\"error\":\"" + SECRET + "\",\"id\":\"" + TEXT + "\",\"code\":\"" + TEXT
                + "\",\"upload_url\":\"" + SECRET + "\",\"description\":\"" + SECRET + TEXT + "\"}";
        for (int status : List.of(200, 201, 204, 301, 400, 401, 403, 404, 413, 422, 429, 500, 501)) {
            for (String path : Stream.concat(steps().stream().map(Step::path), Stream.of(filePath()))
                    .toList()) {
                answerFile(file.ok("file").answer());
                server.stubFor(any(urlEqualTo(path))
                        .willReturn(aResponse()
                                .withStatus(status)
                                .withHeader("Content-Type", "application/json")
                                .withBody(echo)));

                assertThat(sendFile().toString())
                        .doesNotContain("marzipan", "rhubarb")
                        .doesNotContain(url());
            }
        }
    }

    @Test
    void givesTheCredentialInHeadersAlone() {
        answerFile(file.ok("file").answer());
        Outcome unused = sendFile();

        assertThat(requests()).isNotEmpty().allSatisfy(request -> assertThat(request.getBodyAsString())
                .doesNotContain("marzipan"));
        credentialHeader().forEach((name, value) -> assertThat(shown().get(0).getHeader(name))
                .isEqualTo(value));
    }

    @Test
    void sendsAFileToNobodyElse() {
        answerFile(file.ok("file").answer());

        assertThat(fileChannel(channel()).sendFile(message(null), FILE)).isInstanceOf(Refused.class);
        assertThat(sendFile("no body\n")).isInstanceOf(Refused.class);
        assertThat(requests()).isEmpty();
    }

    @Test
    void makesAFileOfCodeThatFitsIntoNoMessage() {
        String code = "```python\n" + "x = 1\n".repeat(1000) + "```";

        assertThat(fileChannel(channel()).partsWithFiles("before\n\n" + code + "\n\nbehind"))
                .extracting(MessagePart::fileName)
                .containsExactly(null, "code-1.py", null);
        assertThat(fileChannel(channel()).partsWithFiles("```\nshort\n```"))
                .containsExactly(
                        MessagePart.text(channel().parts("```\nshort\n```").get(0)));
    }
}
