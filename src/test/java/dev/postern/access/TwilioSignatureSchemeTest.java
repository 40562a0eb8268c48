package dev.postern.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.MappingSettings.Encoding;
import dev.postern.config.MappingSettings.Scheme;
import dev.postern.config.MappingSettings.SignatureForm;
import dev.postern.config.MappingSettings.Verify;
import dev.postern.model.Secret;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of Twilio's signatures, with the examples by which Twilio's own libraries are tested. */
class TwilioSignatureSchemeTest {

    private static final String ADDRESS = "https://mycompany.com/myapp.php?foo=1&bar=2";
    private static final String CALL =
            "CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212";
    private static final String SIGNATURE = "RSOYDt4T1cUTdK1PDd93/VVr8B8=";
    private static final String JSON = "{\"property\": \"value\", \"boolean\": true}";
    private static final String JSON_SIGNATURE = "a9nBmqA0ju/hNViExpshrM61xv4=";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "CallSid=CA1234567890ABCDE",
                CALL + "&more=1",
                CALL + "&%FF=",
                CALL + "&%zz=",
                "CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1235&From=%2B14158675309&To=%2B18005551212",
                JSON
            })
    void refusesOtherContent(String body) {
        assertThat(content(ADDRESS, body, SIGNATURE)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://mycompany.com/myapp.php?foo=1&bar=2",
                "https://mycompany.com/myapp.php",
                "https://example.com/myapp.php?foo=1&bar=2"
            })
    void refusesAnotherAddress(String address) {
        assertThat(content(address, CALL, SIGNATURE)).isEmpty();
    }

    @Test
    void takesTheFieldsInAnyOrder() {
        assertThat(content(ADDRESS, CALL, SIGNATURE)).isPresent();
        assertThat(content(
                        ADDRESS,
                        "To=%2B18005551212&From=%2B14158675309&Digits=1234&Caller=%2B14158675309&CallSid=CA1234567890ABCDE",
                        SIGNATURE))
                .as("the content is the same to the check for replays")
                .isEqualTo(content(ADDRESS, CALL, SIGNATURE));
    }

    @Test
    void takesTheAddressWithAndWithoutItsOwnPort() {
        assertThat(content("https://mycompany.com:443/myapp.php?foo=1&bar=2", CALL, SIGNATURE))
                .isPresent();
        assertThat(content(ADDRESS, CALL, "kvajT1Ptam85bY51eRf/AJRuM3w=")).isPresent();
    }

    @Test
    void takesJsonWhoseHashIsInTheAddress() {
        assertThat(content(ADDRESS, JSON, JSON_SIGNATURE)).isPresent();
        assertThat(content(ADDRESS, JSON + " ", JSON_SIGNATURE)).isEmpty();
        assertThat(content(ADDRESS, CALL, JSON_SIGNATURE)).isEmpty();
    }

    private static Optional<?> content(String address, String body, String signature) {
        Verify verify = new Verify(
                Scheme.TWILIO,
                List.of(new Secret("12345")),
                false,
                new SignatureForm("x-twilio-signature", Encoding.BASE64, "", null, ""),
                null,
                Duration.ofMinutes(5),
                URI.create(address),
                null);
        SignatureVerifier verifier =
                SignatureVerifier.of(verify, InstantSource.system(), (sent, field) -> Optional.empty());
        return verifier.verify(RequestHeaders.empty().with("x-twilio-signature", signature), body.getBytes(UTF_8))
                .content();
    }
}
