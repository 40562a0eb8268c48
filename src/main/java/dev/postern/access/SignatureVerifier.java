package dev.postern.access;

import dev.postern.config.MappingSettings.Encoding;
import dev.postern.config.MappingSettings.SignatureForm;
import dev.postern.config.MappingSettings.Verify;
import dev.postern.model.Secret;
import dev.postern.model.SignedContent;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How one mapped hook tells its sender by a signature, for senders that can sign but can't send a token. It is computed
 * over the body's bytes as received and compared in constant time. Immutable, and safe for use by many threads.
 *
 * <p>A header that is sent twice, or is longer than 8 KiB, counts as missing. A timestamp is whole seconds since 1970 in
 * digits alone. Hex may be in either case; base64 is padded. Where a header lists signatures, one right one will do, and
 * more than ten are refused.
 */
public final class SignatureVerifier {

    private static final String SHA_256 = "HmacSHA256";

    private final boolean required;
    private final SignatureScheme scheme;
    private final Predicate<byte[]> isRecent;

    private SignatureVerifier(boolean required, SignatureScheme scheme, Predicate<byte[]> isRecent) {
        this.required = required;
        this.scheme = scheme;
        this.isRecent = isRecent;
    }

    /**
     * The signature that a mapping asks for. Of a scheme with a name only secrets, tolerance and {@code required} are
     * read; the rest is what its sender documents.
     *
     * @param bodyTime reads the time from a body that is signed rightly, where the mapping says that it is there
     * @throws IllegalArgumentException for no secret, an empty one, one that the scheme can't use, or a prefix with a
     *     comma; the message names the fault and no secret
     */
    public static SignatureVerifier of(Verify verify, InstantSource time, BodyTime bodyTime) {
        TimestampTolerance timestampTolerance = new TimestampTolerance(time, verify.tolerance());
        String field = verify.timestampField();
        Predicate<byte[]> isRecent = body -> field == null
                || bodyTime.read(body, field).filter(timestampTolerance::covers).isPresent();
        return new SignatureVerifier(verify.required(), scheme(verify, timestampTolerance), isRecent);
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
                        new HmacSignatureScheme.Stamp("x-slack-request-timestamp", "v0:", ":", timestampTolerance),
                        hex(secrets));
            case GITLAB -> new GitLabSignatureScheme(secrets, timestampTolerance);
            case HMAC -> asConfigured(verify, timestampTolerance);
        };
    }

    private static SignatureScheme asConfigured(Verify verify, TimestampTolerance timestampTolerance) {
        SignatureForm form = verify.form();
        if (form.prefix().contains(",")) {
            throw new IllegalArgumentException("the prefix holds a comma, which stands between signatures");
        }
        String timestampHeader = form.timestampHeader();
        HmacSignatureScheme.@Nullable Stamp stamp = timestampHeader == null
                ? null
                : new HmacSignatureScheme.Stamp(timestampHeader, "", form.separator(), timestampTolerance);
        SigningKeys keys = SigningKeys.ofText(verify.secrets(), form.algorithm(), form.encoding());
        return new HmacSignatureScheme(form.header(), form.prefix(), true, stamp, keys);
    }

    private static SigningKeys hex(List<Secret> secrets) {
        return SigningKeys.ofText(secrets, SHA_256, Encoding.HEX);
    }

    /** Whether a request needs the signature even when it presents a token. */
    public boolean required() {
        return required;
    }

    /**
     * Whether a request may be signed: the headers of the scheme are there, once each and at most 8 KiB long. To be asked
     * before the body is read.
     */
    public boolean isPresent(HeaderLookup headerLookup) {
        return scheme.isPresent(headerLookup);
    }

    /**
     * What a request's sender has signed, by a secret in force and, where the time is signed too, near enough in time.
     *
     * @param body as received, before anything is decoded
     * @return empty for whatever is missing or malformed
     */
    public Optional<SignedContent> verified(HeaderLookup headerLookup, byte[] body) {
        return Optional.ofNullable(scheme.verified(headerLookup, body)).filter(signed -> isRecent.test(body));
    }

    /** A reader of the time that a sender writes into the body that it signs. */
    @FunctionalInterface
    public interface BodyTime {

        /**
         * The moment that a field of {@code body} says; empty where it says none, or the body can't be read.
         *
         * @param field its name, or the names on the way to it with full stops between them
         */
        Optional<Instant> read(byte[] body, String field);
    }
}
