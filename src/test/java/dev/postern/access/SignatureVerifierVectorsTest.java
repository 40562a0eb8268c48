package dev.postern.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postern.config.MappingSettings.Encoding;
import dev.postern.config.MappingSettings.Verify;
import dev.postern.model.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The vendors' published examples, with and without changes to them. */
class SignatureVerifierVectorsTest {

    @TestFactory
    Stream<DynamicTest> acceptsAndRefusesWhatTheVendorsSayOf() throws IOException {
        return all("vectors")
                .map(vector -> DynamicTest.dynamicTest(vector.get("id").textValue(), () -> judge(vector)));
    }

    @TestFactory
    Stream<DynamicTest> computesTheirKeyedHashOf() throws IOException {
        return all("rawHmac")
                .map(vector ->
                        DynamicTest.dynamicTest("[" + vector.get("message").textValue() + "]", () -> {
                            List<Secret> secrets =
                                    List.of(new Secret(vector.get("key").textValue()));
                            Verify verify =
                                    SigningVendor.generic(secrets, "x-sig", "HmacSHA256", Encoding.HEX, "", null, "");
                            RequestHeaders requestHeaders = RequestHeaders.empty()
                                    .with("x-sig", vector.get("hmacSha256Hex").textValue());

                            assertThat(SignatureVerifier.of(verify, () -> Instant.EPOCH, SigningVendor.NO_TIME)
                                            .verify(
                                                    requestHeaders,
                                                    SigningVendor.text(vector.get("message")
                                                            .textValue()))
                                            .content())
                                    .isPresent();
                        }));
    }

    private static void judge(JsonNode vector) {
        Verify verify = sender(vector.get("provider").textValue())
                .verify(vector.get("secret").textValue());
        Instant now = Instant.ofEpochSecond(vector.path("now").asLong());
        if (vector.get("id").textValue().equals("sw-empty-secret")) {
            assertThatThrownBy(() -> SignatureVerifier.of(verify, () -> now, SigningVendor.NO_TIME))
                    .isInstanceOf(IllegalArgumentException.class);
            return;
        }
        RequestHeaders requestHeaders = RequestHeaders.empty();
        vector.get("headers")
                .properties()
                .forEach(header ->
                        requestHeaders.with(header.getKey(), header.getValue().textValue()));
        byte[] body = HexFormat.of().parseHex(vector.get("bodyHexUtf8").textValue());

        assertThat(SignatureVerifier.of(verify, () -> now, SigningVendor.NO_TIME)
                        .verify(requestHeaders, body)
                        .content()
                        .isPresent())
                .isEqualTo(vector.get("accept").booleanValue());
    }

    private static SigningVendor sender(String provider) {
        return switch (provider) {
            case "standard-webhooks" -> SigningVendor.STANDARD;
            case "github" -> SigningVendor.GITHUB;
            case "stripe" -> SigningVendor.STRIPE;
            case "slack" -> SigningVendor.SLACK;
            case "gitlab-token", "gitlab-signed" -> SigningVendor.GITLAB;
            default -> throw new IllegalArgumentException(provider);
        };
    }

    private static Stream<JsonNode> all(String list) throws IOException {
        try (InputStream file = SignatureVerifierVectorsTest.class.getResourceAsStream("/signatures/vectors.json")) {
            JsonNode vectors = new ObjectMapper().readTree(file).get(list);
            assertThat(vectors).isNotEmpty();
            return StreamSupport.stream(vectors.spliterator(), false);
        }
    }
}
