package dev.postern.access;

import dev.postern.access.SignatureResult.Invalid;
import dev.postern.access.SignatureResult.Valid;
import dev.postern.model.SignedContent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The scheme of Stripe: the header {@code t=<seconds>,v1=<hex>,v1=<hex>} signs the seconds, a full stop and the body.
 * Other schemes in the header ({@code v0}) are ignored, as Stripe asks.
 *
 * @see <a href="https://docs.stripe.com/webhooks#verify-manually">Stripe: verify manually</a>
 */
final class StripeSignatureScheme implements SignatureScheme {

    private static final String HEADER = "stripe-signature";
    private static final String TIMESTAMP = "t=";
    private static final String SIGNATURE = "v1=";

    private final SigningKeys keys;
    private final TimestampTolerance timestampTolerance;

    StripeSignatureScheme(SigningKeys keys, TimestampTolerance timestampTolerance) {
        this.keys = keys;
        this.timestampTolerance = timestampTolerance;
    }

    @Override
    public String headers() {
        return HEADER;
    }

    @Override
    public SignatureResult verify(HeaderLookup headerLookup, byte[] body) {
        String value = SingleHeaderReader.singleValue(headerLookup, HEADER);
        if (value == null) {
            return Invalid.missing(HEADER);
        }
        List<String> timestamps = new ArrayList<>();
        List<String> signatures = new ArrayList<>();
        for (String part : value.split(",", -1)) {
            String item = SingleHeaderReader.trimmed(part, 0);
            if (item.startsWith(TIMESTAMP)) {
                timestamps.add(item.substring(TIMESTAMP.length()));
            } else if (item.startsWith(SIGNATURE)) {
                signatures.add(item.substring(SIGNATURE.length()));
            }
        }
        if (timestamps.size() != 1) {
            return Invalid.malformed("The header does not hold t= once.");
        }
        @Nullable Invalid wrong = timestampTolerance.error(timestamps.get(0));
        if (wrong != null) {
            return wrong;
        }
        byte[] lead = lead(timestamps.get(0));
        wrong = keys.error(signatures, lead, body);
        return wrong == null ? new Valid(SignedContent.of(lead, body, null)) : wrong;
    }

    private static byte[] lead(String seconds) {
        return (seconds + ".").getBytes(StandardCharsets.US_ASCII);
    }
}
