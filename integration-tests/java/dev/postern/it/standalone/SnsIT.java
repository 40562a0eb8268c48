package dev.postern.it.standalone;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import com.google.gson.JsonObject;
import dev.postern.it.standalone.CertificateMaker.SignedCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A test of a topic that subscribes to a hook, notifies it and unsubscribes, on a stand-in for Amazon SNS. */
@Tag("long")
class SnsIT {

    private static final String TOPIC = "arn:aws:sns:eu-west-1:123456789012:alarms";
    private static final String CERTIFICATE = "/SimpleNotificationService-0123456789abcdef.pem";
    private static final String CONFIRMATION = "/?Action=ConfirmSubscription&TopicArn=" + TOPIC + "&Token=t0k3n";

    @RegisterExtension
    static final WireMockExtension SNS = WireMockExtension.newInstance()
            .options(wireMockConfig().dynamicPort())
            .build();

    private static final int MOST_FAILURES = 20;

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @TempDir
    Path directory;

    private PrivateKey key;
    private PosternProcess postern;

    @BeforeEach
    void start() throws Exception {
        SignedCertificate made = new CertificateMaker(directory).sign("sns.amazonaws.com", "2020/02/01", 20_000);
        String pem = Files.readString(made.key()).replaceAll("-----[A-Z ]+-----", "");
        key = KeyFactory.getInstance("RSA")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem)));
        SNS.stubFor(get(urlEqualTo(CERTIFICATE)).willReturn(ok(Files.readString(made.certificate()))));
        SNS.stubFor(get(urlEqualTo(CONFIRMATION)).willReturn(ok("<ConfirmSubscriptionResponse/>")));
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(HomeFixture.hooks(
                        "presets: [sns]", "sns: {topics: [\"" + TOPIC + "\"], endpoint: \"" + SNS.baseUrl() + "\"}"));
        postern = home.start();
    }

    @Test
    void refusesWhatSnsHasNotSignedAndAsksNobodyElse() throws Exception {
        JsonObject foreign = signed("Notification", "1", Instant.now());
        foreign.addProperty("TopicArn", TOPIC + "2");
        JsonObject elsewhere = signed("Notification", "1", Instant.now());
        elsewhere.addProperty("SigningCertURL", SNS.baseUrl().replace("localhost", "127.0.0.1") + CERTIFICATE);
        assertThat(send(foreign).status()).isEqualTo(401);
        assertThat(send(elsewhere).status()).isEqualTo(401);
        assertThat(SNS.getAllServeEvents()).isEmpty();

        JsonObject changed = signed("Notification", "1", Instant.now());
        changed.addProperty("Message", "another text");
        assertThat(awaitDecision(changed).text("code")).isEqualTo("signature_invalid");
        assertThat(awaitDecision(signed("Notification", "2", Instant.now().minusSeconds(4_000)))
                        .status())
                .isEqualTo(401);
        JsonObject unconfirmed = signed("SubscriptionConfirmation", "1", Instant.now());
        unconfirmed.addProperty("Token", "another");
        assertThat(awaitDecision(unconfirmed).status()).isEqualTo(401);
        assertThat(SNS.findAll(getRequestedFor(urlEqualTo(CONFIRMATION)))).isEmpty();
    }

    @Test
    void locksOutWhoNamesCertificatesThatAreNone() throws Exception {
        assertThat(awaitDecision(signed("Notification", "1", Instant.now())).status())
                .isEqualTo(202);
        JsonObject forged = signed("Notification", "2", Instant.now());
        for (int i = 0; i <= MOST_FAILURES; i++) {
            forged.addProperty("SigningCertURL", SNS.baseUrl() + "/none-" + i + ".pem");
            assertThat(send(forged).status()).isIn(503, 429);
        }

        forged.addProperty("SigningCertURL", SNS.baseUrl() + "/none.pem");
        assertThat(send(forged).status()).isEqualTo(429);
        assertThat(send(signed("Notification", "2", Instant.now())).status()).isEqualTo(202);
        assertThat(SNS.findAll(getRequestedFor(urlEqualTo("/none.pem")))).isEmpty();
    }

    @Test
    void confirmsASubscriptionAndTakesItsMessagesOnce() throws Exception {
        SNS.stubFor(get(urlEqualTo(CONFIRMATION)).willReturn(aResponse().withStatus(503)));
        JsonObject subscription = signed("SubscriptionConfirmation", "1", Instant.now());
        PosternResponse early = send(subscription);
        assertThat(early.status()).isEqualTo(503);
        assertThat(early.header("Retry-After")).isEqualTo("1");
        await().pollInterval(Duration.ofMillis(200)).until(() -> {
            assertThat(send(subscription).status()).isEqualTo(503);
            return !SNS.findAll(getRequestedFor(urlEqualTo(CONFIRMATION))).isEmpty();
        });
        SNS.stubFor(get(urlEqualTo(CONFIRMATION)).willReturn(ok("<ConfirmSubscriptionResponse/>")));
        assertThat(awaitDecision(subscription).text("topic")).isEqualTo(TOPIC);

        for (String version : List.of("1", "2")) {
            JsonObject notification = signed("Notification", version, Instant.now());
            PosternResponse taken = awaitDecision(notification);
            assertThat(taken.status()).isEqualTo(202);
            notification.addProperty("UnsubscribeURL", "https://example.com/");
            PosternResponse repeated = send(notification);
            assertThat(repeated.header("Idempotent-Replayed")).isEqualTo("true");
            assertThat(repeated.text("runId")).isEqualTo(taken.text("runId"));
        }
        assertThat(awaitDecision(signed("UnsubscribeConfirmation", "1", Instant.now()))
                        .status())
                .isEqualTo(200);
        assertThat(SNS.findAll(getRequestedFor(urlEqualTo(CERTIFICATE)))).hasSize(1);
    }

    /** Sends {@code message} as SNS does, again and again until the response is no longer 503. */
    private PosternResponse awaitDecision(JsonObject message) {
        return await().pollInterval(Duration.ofMillis(200))
                .until(() -> send(message), response -> response.status() != 503);
    }

    private PosternResponse send(JsonObject message) throws Exception {
        return postern.sender()
                .withToken(null)
                .post(
                        "sns",
                        message.toString(),
                        "x-amz-sns-message-type",
                        message.get("Type").getAsString(),
                        "Content-Type",
                        "text/plain; charset=UTF-8");
    }

    private JsonObject signed(String type, String version, Instant at) throws Exception {
        boolean notification = type.equals("Notification");
        JsonObject message = new JsonObject();
        message.addProperty("Message", "Größe\nzwei Zeilen");
        message.addProperty("MessageId", type + version);
        if (!notification) {
            message.addProperty("SubscribeURL", SNS.baseUrl() + CONFIRMATION);
        }
        message.addProperty("Timestamp", at.toString());
        if (!notification) {
            message.addProperty("Token", "t0k3n");
        }
        message.addProperty("TopicArn", TOPIC);
        message.addProperty("Type", type);
        StringBuilder text = new StringBuilder();
        message.entrySet().forEach(field -> text.append(field.getKey())
                .append('\n')
                .append(field.getValue().getAsString())
                .append('\n'));
        Signature signature = Signature.getInstance(version.equals("1") ? "SHA1withRSA" : "SHA256withRSA");
        signature.initSign(key);
        signature.update(text.toString().getBytes(UTF_8));
        message.addProperty("SignatureVersion", version);
        message.addProperty("Signature", Base64.getEncoder().encodeToString(signature.sign()));
        message.addProperty("SigningCertURL", SNS.baseUrl() + CERTIFICATE);
        return message;
    }
}
