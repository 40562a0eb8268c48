package dev.postern.access;

import dev.postern.access.SignatureResult.Invalid;
import dev.postern.access.SignatureResult.Valid;
import dev.postern.config.MappingSettings.Encoding;
import dev.postern.config.MappingSettings.SignatureForm;
import dev.postern.config.MappingSettings.Verify;
import dev.postern.config.SnsSettings;
import dev.postern.model.Secret;
import dev.postern.net.DocumentSource;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A verifier of signatures at one mapped hook, for senders that can sign but can't send a token. A signature is
 * computed over the body's bytes as received and compared in constant time. Immutable and thread-safe.
 *
 * <p>A header that is sent twice, or is longer than 8 KiB, counts as missing. A timestamp is whole seconds since 1970,
 * in digits only. Hex may be in either case; base64 is padded. If a header lists several signatures, one right one is
 * enough, and more than ten are rejected.
 */
public final class SignatureVerifier {

    private static final String SHA_256 = "HmacSHA256";

    private final boolean required;
    private final SignatureScheme scheme;
    private final Function<byte[], Optional<Invalid>> bodyTimeError;

    private SignatureVerifier(
            boolean required, SignatureScheme scheme, Function<byte[], Optional<Invalid>> bodyTimeError) {
        this.required = required;
        this.scheme = scheme;
        this.bodyTimeError = bodyTimeError;
    }

    /**
     * The verifier of the signature that a mapping requires. For a named scheme, only the secrets, the tolerance and
     * {@code required} are read; the rest follows the sender's documentation.
     *
     * @param verify the mapping's settings
     * @param time the current time
     * @param bodyTime reads the time from a rightly signed body, if the mapping says that the body holds it
     * @throws IllegalArgumentException for no secret, an empty one, one that the scheme can't use, or a prefix with a
     *     comma; the message names the error and no secret
     */
    public static SignatureVerifier of(Verify verify, InstantSource time, BodyTime bodyTime) {
        TimestampTolerance timestampTolerance = new TimestampTolerance(time, verify.tolerance());
        String field = verify.timestampField();
        Function<byte[], Optional<Invalid>> bodyTimeError = body -> {
            if (field == null) {
                return Optional.empty();
            }
            Optional<Instant> moment = bodyTime.read(body, field);
            return moment.isEmpty()
                    ? Optional.of(Invalid.malformed("The payload has no time in its field " + field + "."))
                    : Optional.ofNullable(timestampTolerance.error(moment.get()));
        };
        return new SignatureVerifier(verify.required(), scheme(verify, timestampTolerance), bodyTimeError);
    }

    /**
     * The verifier of messages of Amazon SNS, whose setting names topics instead of secrets.
     *
     * @param verify the settings, with the scheme {@code SNS}
     * @param texts reads the text fields of a JSON object; none from another body
     * @param documents the documents at the addresses that messages name
     */
    public static SignatureVerifier ofSns(
            Verify verify, InstantSource time, Function<byte[], Map<String, String>> texts, DocumentSource documents) {
        SnsSettings sns = Objects.requireNonNull(verify.sns(), "checked by the configuration");
        return new SignatureVerifier(
                verify.required(),
                new SnsSignatureScheme(sns, new TimestampTolerance(time, verify.tolerance()), texts, documents),
                body -> Optional.empty());
    }

    private static SignatureScheme scheme(Verify verify, TimestampTolerance timestampTolerance) {
        List<Secret> secrets = verify.secrets();
        return switch (verify.scheme()) {
            case STANDARD_WEBHOOKS ->
                new StandardWebhooksScheme(
                        List.of(StandardWebhooksScheme.WEBHOOK, StandardWebhooksScheme.SVIX),
                        SigningKeys.ofBase64(secrets),
                        timestampTolerance);
            case GITHUB -> // https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
                new HmacSignatureScheme("x-hub-signature-256", "sha256=", false, null, hex(secrets));
            case STRIPE -> new StripeSignatureScheme(hex(secrets), timestampTolerance);
            case SLACK -> // https://docs.slack.dev/authentication/verifying-requests-from-slack
                new HmacSignatureScheme(
                        "x-slack-signature",
                        "v0=",
                        false,
                        new HmacSignatureScheme.SignedTimestamp(
                                "x-slack-request-timestamp", "v0:", ":", timestampTolerance),
                        hex(secrets));
            case GITLAB -> new GitLabSignatureScheme(secrets, timestampTolerance);
            case TWILIO ->
                new TwilioSignatureScheme(
                        Objects.requireNonNull(verify.url(), "checked by the configuration"),
                        SigningKeys.ofText(secrets, "HmacSHA1", Encoding.BASE64));
            case SNS -> throw new IllegalArgumentException("the scheme sns has no secret");
            case HMAC -> asConfigured(verify, timestampTolerance);
        };
    }

    private static SignatureScheme asConfigured(Verify verify, TimestampTolerance timestampTolerance) {
        SignatureForm form = verify.form();
        if (form.prefix().contains(",")) {
            throw new IllegalArgumentException("the prefix holds a comma, which stands between signatures");
        }
        String timestampHeader = form.timestampHeader();
        HmacSignatureScheme.@Nullable SignedTimestamp stamp = timestampHeader == null
                ? null
                : new HmacSignatureScheme.SignedTimestamp(timestampHeader, "", form.separator(), timestampTolerance);
        SigningKeys keys = SigningKeys.ofText(verify.secrets(), form.algorithm(), form.encoding());
        return new HmacSignatureScheme(form.header(), form.prefix(), true, stamp, keys);
    }

    private static SigningKeys hex(List<Secret> secrets) {
        return SigningKeys.ofText(secrets, SHA_256, Encoding.HEX);
    }

    /** Whether a request needs the signature even if it presents a token. */
    public boolean required() {
        return required;
    }

    /**
     * Whether a request may be signed: the scheme's headers are present, once each and at most 8 KiB long. Call it
     * before the body is read.
     */
    public boolean isPresent(HeaderLookup headerLookup) {
        return scheme.isPresent(headerLookup);
    }

    /** The result for a request that is signed in {@code header}, where no secret is set for its hook. */
    public static Invalid withoutSecret(String header) {
        return new Invalid(
                SignatureError.NO_SECRET,
                "The request has " + header + ", but no secret is set for this hook"
                        + " (hooks.signingSecrets, or verify of its mapping).");
    }

    /** The result for a request without the required headers. */
    public Invalid missing() {
        return Invalid.missing(scheme.headers());
    }

    /**
     * Checks that the sender has signed with a valid secret and, if the time is signed too, near enough in time.
     *
     * @param body the bytes as received, before anything is decoded
     */
    public SignatureResult verify(HeaderLookup headerLookup, byte[] body) {
        SignatureResult result = scheme.verify(headerLookup, body);
        if (!(result instanceof Valid)) {
            return result;
        }
        Optional<Invalid> wrongTime = bodyTimeError.apply(body);
        return wrongTime.isPresent() ? wrongTime.get() : result;
    }

    /** A reader of the time that a sender writes into the signed body. */
    @FunctionalInterface
    public interface BodyTime {

        /**
         * The moment in a field of {@code body}; empty if there is none, or the body can't be read.
         *
         * @param field the field's name, or the path of names to it with full stops between them
         */
        Optional<Instant> read(byte[] body, String field);
    }
}
