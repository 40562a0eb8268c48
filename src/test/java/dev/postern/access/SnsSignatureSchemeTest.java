package dev.postern.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.access.SignatureResult.Invalid;
import dev.postern.access.SignatureResult.Unconfirmed;
import dev.postern.access.SignatureResult.Undecided;
import dev.postern.access.SignatureResult.Valid;
import dev.postern.config.MappingSettings.Encoding;
import dev.postern.config.MappingSettings.Scheme;
import dev.postern.config.MappingSettings.SignatureForm;
import dev.postern.config.MappingSettings.Verify;
import dev.postern.config.SnsSettings;
import dev.postern.ingress.HttpRequestFile;
import dev.postern.ingress.SignedPayload;
import dev.postern.net.BackgroundFetcher.Fetched;
import dev.postern.net.DocumentSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the signatures of Amazon SNS, with the requests of the preset's fixtures. */
class SnsSignatureSchemeTest {

    private static final Path REQUESTS = Path.of("src/test/resources/providers/sns");
    private static final String TOPIC = "arn:aws:sns:eu-west-1:123456789012:alarms";
    private static final String CERTIFICATE =
            "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem";
    private static final Instant SENT = Instant.ofEpochSecond(1_760_000_000);

    private final List<URI> fetched = new ArrayList<>();
    private final byte[] certificate = read(REQUESTS.resolve(CERTIFICATE.substring(CERTIFICATE.lastIndexOf('/') + 1)));

    @ParameterizedTest
    @CsvSource({
        "'orders-5xx', 'orders-6xx', DIGEST",
        "'\"Subject\": \"ALARM', '\"Subject\": \"OK', DIGEST",
        "'22b80b92', '22b80b93', DIGEST",
        "'\"SignatureVersion\": \"1\"', '\"SignatureVersion\": \"2\"', DIGEST",
        "'\"SignatureVersion\": \"1\"', '\"SignatureVersion\": \"3\"', MALFORMED",
        "'\"SignatureVersion\": \"1\"', '\"SignatureVersion\": 1', MALFORMED",
        "'\"Type\": \"Notification\"', '\"Type\": \"UnsubscribeConfirmation\"', DIGEST",
        "'\"Type\": \"Notification\"', '\"Type\": \"Other\"', MALFORMED",
        "'\"Type\"', '\"NoType\"', MALFORMED",
        "'\"Signature\"', '\"NoSignature\"', DIGEST",
        "'\"Signature\": \"', '\"Signature\": \"!', DIGEST",
        "'2025-10-09T08:53:20.000Z', '2025-10-09T08:53:21.000Z', DIGEST",
        "'\"MessageId\"', '\"NoMessageId\"', MALFORMED",
        "':alarms\",', ':others\",', MALFORMED",
        "'{', '[', MALFORMED"
    })
    void refusesAChangedMessage(String old, String changed, SignatureError error) throws IOException {
        String message = body("cloudwatch-alarm");
        assertThat(message).contains(old);

        assertThat(error(verify(message.replaceFirst(Pattern.quote(old), changed))))
                .isEqualTo(error);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem",
                "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-1.pem",
                "https://sns.eu-west-1.amazonaws.com.example.com/SimpleNotificationService-1.pem",
                "https://sns.eu-west-1.amazonaws.com@example.com/SimpleNotificationService-1.pem",
                "https://sns.eu-west-1.amazonaws.com:8443/SimpleNotificationService-1.pem",
                "https://sns.eu-west-1.amazonaws.com/?Action=GetTopicAttributes&x=.pem",
                "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem?x=y",
                "https://sns.eu-west-1.amazonaws.com/../evil/%2e%2e/SimpleNotificationService-1.pem",
                "https://sns.eu-west-1.amazonaws.com/a b.pem",
                "https://example.com/https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem",
                "file:///etc/passwd",
                ""
            })
    void fetchesNoCertificateFromElsewhere(String address) throws IOException {
        assertThat(error(verify(body("cloudwatch-alarm").replace(CERTIFICATE, address))))
                .isEqualTo(SignatureError.MALFORMED);
        assertThat(fetched).isEmpty();
    }

    @Test
    void fetchesNothingForAnotherTopic() throws IOException {
        String other = body("cloudwatch-alarm").replace(TOPIC, TOPIC.replace("123456789012", "210987654321"));

        assertThat(error(verify(other))).isEqualTo(SignatureError.MALFORMED);
        assertThat(fetched).isEmpty();
    }

    @Test
    void isUndecidedUntilTheCertificateIsThere() throws IOException {
        String message = body("cloudwatch-alarm");

        assertThat(verifier(SENT, address -> Optional.empty()).verify(headers(), message.getBytes(UTF_8)))
                .isInstanceOf(Undecided.class);
        assertThat(error(verifier(SENT, address -> Optional.of(new Fetched(403, new byte[0])))
                        .verify(headers(), message.getBytes(UTF_8))))
                .isEqualTo(SignatureError.DIGEST);
        assertThat(error(verifier(SENT, address -> Optional.of(new Fetched(200, "no certificate".getBytes(UTF_8))))
                        .verify(headers(), message.getBytes(UTF_8))))
                .isEqualTo(SignatureError.DIGEST);
        assertThat(verify(message)).isInstanceOf(Valid.class);
    }

    @ParameterizedTest
    @CsvSource({"-301,DIGEST", "-65,", "-6,", "0,", "64,", "66,TIMESTAMP", "1440,TIMESTAMP"})
    void takesAMessageForAsLongAsSnsRepeatsIt(long minutes, SignatureError expected) throws IOException {
        Instant now = minutes == -301 ? Instant.parse("2023-01-01T00:00:00Z") : SENT.plus(Duration.ofMinutes(minutes));
        SignatureResult result = verifier(now, this::fetch).verify(headers(), bytes("cloudwatch-alarm"));

        assertThat(result instanceof Invalid invalid ? invalid.error() : null).isEqualTo(expected);
    }

    @Test
    void namesTheMessageOfAValidSignature() throws IOException {
        assertThat(verify(body("s3-object-created")).content().orElseThrow().deliveryId())
                .isEqualTo("da41e39f-ea4d-435a-b922-c6aae3915ebe");
        assertThat(verify(body("cloudwatch-alarm").replace("?Action=Unsubscribe", "?Action=Other"))
                        .content())
                .as("a field that is not signed does not make another message of it")
                .isEqualTo(verify(body("cloudwatch-alarm")).content());
    }

    @Test
    void confirmsASubscriptionOnlyWhenItsMessageIsRight() throws IOException {
        String message = body("subscription-confirmation");
        assertThat(verify(message.replace("&Token=2336", "&Token=2337"))).isInstanceOf(Invalid.class);
        assertThat(verify(message.replace("\"Token\": \"2336", "\"Token\": \"2337")))
                .isInstanceOf(Invalid.class);
        assertThat(fetched).allMatch(address -> address.getPath().endsWith(".pem"));

        assertThat(verify(message)).isInstanceOf(Valid.class);
        assertThat(fetched).last().asString().contains("?Action=ConfirmSubscription&TopicArn=" + TOPIC);
    }

    @Test
    void takesNoSubscriptionThatSnsDoesNotConfirm() throws IOException {
        byte[] message = bytes("subscription-confirmation");
        assertThat(verifier(SENT, address -> address.getQuery() == null ? fetch(address) : Optional.empty())
                        .verify(headers(), message))
                .isInstanceOf(Unconfirmed.class);
        assertThat(error(verifier(
                                SENT,
                                address -> address.getQuery() == null
                                        ? fetch(address)
                                        : Optional.of(new Fetched(400, new byte[0])))
                        .verify(headers(), message)))
                .isEqualTo(SignatureError.MALFORMED);
    }

    @Test
    void doesNotRestoreASubscriptionThatHasEnded() throws IOException {
        assertThat(verify(body("unsubscribe-confirmation"))).isInstanceOf(Valid.class);
        assertThat(fetched).hasSize(1).allMatch(address -> address.getPath().endsWith(".pem"));
    }

    @Test
    void needsTheHeaderOfTheMessageType() {
        assertThat(verifier(SENT, this::fetch).isPresent(RequestHeaders.empty()))
                .isFalse();
        assertThat(verifier(SENT, this::fetch).isPresent(headers())).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "arn:aws:sns:us-east-2:123456789012:a, https://sns.us-east-2.amazonaws.com",
        "arn:aws-us-gov:sns:us-gov-west-1:123456789012:a, https://sns.us-gov-west-1.amazonaws.com",
        "arn:aws-cn:sns:cn-north-1:123456789012:a, https://sns.cn-north-1.amazonaws.com.cn"
    })
    void knowsTheEndpointOfARegion(String topic, URI endpoint) {
        assertThat(new SnsSettings(List.of(topic), null).endpointOf(topic)).isEqualTo(endpoint);
    }

    private static SignatureError error(SignatureResult result) {
        assertThat(result).isInstanceOf(Invalid.class);
        return ((Invalid) result).error();
    }

    private SignatureResult verify(String message) {
        return verifier(SENT, this::fetch).verify(headers(), message.getBytes(UTF_8));
    }

    private Optional<Fetched> fetch(URI address) {
        fetched.add(address);
        return Optional.of(new Fetched(200, address.toString().equals(CERTIFICATE) ? certificate : new byte[0]));
    }

    private static SignatureVerifier verifier(Instant now, DocumentSource documents) {
        Verify verify = new Verify(
                Scheme.SNS,
                List.of(),
                false,
                new SignatureForm("", Encoding.BASE64, "", null, ""),
                null,
                Duration.ofMinutes(65),
                null,
                new SnsSettings(List.of(TOPIC), null));
        return SignatureVerifier.ofSns(verify, InstantSource.fixed(now), SignedPayload::texts, documents);
    }

    private static RequestHeaders headers() {
        return RequestHeaders.empty().with("x-amz-sns-message-type", "Notification");
    }

    private static String body(String name) throws IOException {
        return new String(bytes(name), UTF_8);
    }

    private static byte[] bytes(String name) throws IOException {
        return HttpRequestFile.read(REQUESTS.resolve(name).resolve("request.http"))
                .body();
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }
}
