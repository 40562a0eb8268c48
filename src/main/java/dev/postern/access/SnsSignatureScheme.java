package dev.postern.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.access.SignatureResult.Invalid;
import dev.postern.access.SignatureResult.Unconfirmed;
import dev.postern.access.SignatureResult.Undecided;
import dev.postern.access.SignatureResult.Valid;
import dev.postern.config.SnsSettings;
import dev.postern.model.SignedContent;
import dev.postern.net.BackgroundFetcher.Fetched;
import dev.postern.net.DocumentSource;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The scheme of Amazon SNS. The body names the certificate that it is signed with, and the certificate is fetched from SNS
 * itself. A subscription of a listed topic is confirmed before its confirmation message counts as valid.
 *
 * @see <a href="https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html">Verifying the signatures of
 *     Amazon SNS messages</a>
 */
final class SnsSignatureScheme implements SignatureScheme {

    private static final String HEADER = "x-amz-sns-message-type";
    private static final String SUBSCRIPTION = "SubscriptionConfirmation";

    /** The fields that each type of message is signed with, in this order. Those that are missing are left out. */
    private static final Map<String, List<String>> SIGNED = Map.of(
            "Notification",
            List.of("Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"),
            SUBSCRIPTION,
            List.of("Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"),
            "UnsubscribeConfirmation",
            List.of("Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"));

    /** The signature algorithms by {@code SignatureVersion}. */
    private static final Map<String, String> ALGORITHMS = Map.of("1", "SHA1withRSA", "2", "SHA256withRSA");

    private static final Pattern CERTIFICATE = Pattern.compile("(/[A-Za-z0-9_-]{1,100}){1,4}\\.pem");

    private final SnsSettings settings;
    private final TimestampTolerance timestampTolerance;
    private final Function<byte[], Map<String, String>> texts;
    private final DocumentSource documents;

    /**
     * @param texts reads the text fields of a JSON object; none from another body
     * @param documents the documents at the addresses that messages name
     */
    SnsSignatureScheme(
            SnsSettings settings,
            TimestampTolerance timestampTolerance,
            Function<byte[], Map<String, String>> texts,
            DocumentSource documents) {
        this.settings = settings;
        this.timestampTolerance = timestampTolerance;
        this.texts = texts;
        this.documents = documents;
    }

    @Override
    public String headers() {
        return HEADER;
    }

    @Override
    public SignatureResult verify(HeaderLookup headerLookup, byte[] body) {
        Map<String, String> message = texts.apply(body);
        String topic = message.getOrDefault("TopicArn", "");
        if (!settings.topics().contains(topic)) {
            return Invalid.malformed("The message is of no topic in hooks.sns.topics.");
        }
        String type = message.getOrDefault("Type", "");
        @Nullable List<String> fields = SIGNED.get(type);
        @Nullable String algorithm = ALGORITHMS.get(message.getOrDefault("SignatureVersion", ""));
        if (fields == null || algorithm == null || !message.containsKey("MessageId")) {
            return Invalid.malformed("The message has a Type, SignatureVersion or MessageId that SNS does not send.");
        }
        URI endpoint = settings.endpointOf(topic);
        Optional<URI> certificate = address(message.get("SigningCertURL"), endpoint)
                .filter(uri -> CERTIFICATE.matcher(uri.getPath()).matches() && uri.getRawQuery() == null);
        if (certificate.isEmpty()) {
            return Invalid.malformed("SigningCertURL is no certificate of the topic's own SNS.");
        }
        Optional<Fetched> fetched = documents.find(certificate.get());
        if (fetched.isEmpty()) {
            return new Undecided(
                    "The certificate at SigningCertURL is not fetched yet.",
                    () -> documents.request(certificate.get()));
        }
        byte[] signed = signedText(message, fields);
        @Nullable Invalid error = error(fetched.get(), algorithm, signed, message);
        if (error == null && type.equals(SUBSCRIPTION)) {
            return confirmed(message, endpoint, signed);
        }
        return error == null ? valid(message, signed) : error;
    }

    /** The error in the signature of {@code message} or its time; null if there is none. */
    private @Nullable Invalid error(Fetched fetched, String algorithm, byte[] signed, Map<String, String> message) {
        if (!fetched.isGood()) {
            return new Invalid(
                    SignatureError.DIGEST, "SNS has no certificate at SigningCertURL (" + fetched.status() + ").");
        }
        try {
            X509Certificate certificate = (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(fetched.body()));
            certificate.checkValidity(Date.from(timestampTolerance.time().instant()));
            Signature signature = Signature.getInstance(algorithm);
            signature.initVerify(certificate);
            signature.update(signed);
            if (!signature.verify(Base64.getDecoder().decode(message.getOrDefault("Signature", "")))) {
                return new Invalid(SignatureError.DIGEST, "The message was not signed with SNS's certificate.");
            }
            return timestampTolerance.error(Instant.parse(message.getOrDefault("Timestamp", "")));
        } catch (DateTimeException malformed) {
            return Invalid.malformed("The message's Timestamp is no moment.");
        } catch (GeneralSecurityException | IllegalArgumentException unusable) {
            return new Invalid(SignatureError.DIGEST, "The signature, or SNS's certificate, can't be used.");
        }
    }

    private SignatureResult confirmed(Map<String, String> message, URI endpoint, byte[] signed) {
        Optional<URI> subscription = address(message.get("SubscribeURL"), endpoint);
        if (subscription.isEmpty()) {
            return Invalid.malformed("SubscribeURL is no address of the topic's own SNS.");
        }
        Optional<Fetched> answer = documents.find(subscription.get());
        if (answer.isEmpty()) {
            documents.request(subscription.get());
            return new Unconfirmed("The subscription is not confirmed yet.");
        }
        return answer.get().isGood()
                ? valid(message, signed)
                : Invalid.malformed("SNS rejected the confirmation of the subscription ("
                        + answer.get().status() + ").");
    }

    private static Valid valid(Map<String, String> message, byte[] signed) {
        return new Valid(SignedContent.of(new byte[0], signed, message.get("MessageId")));
    }

    /** The address in {@code text} if it is one below {@code endpoint}. */
    private static Optional<URI> address(@Nullable String text, URI endpoint) {
        try {
            return Stream.ofNullable(text)
                    .filter(given -> given.startsWith(endpoint + "/"))
                    .findFirst()
                    .map(URI::create)
                    .filter(uri -> endpoint.getHost().equals(uri.getHost()) && uri.getPort() == endpoint.getPort());
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    private static byte[] signedText(Map<String, String> message, List<String> fields) {
        StringBuilder signed = new StringBuilder();
        fields.stream().filter(message::containsKey).forEach(field -> signed.append(field)
                .append('\n')
                .append(message.get(field))
                .append('\n'));
        return signed.toString().getBytes(UTF_8);
    }
}
