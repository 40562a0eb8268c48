package dev.postern.access;

import dev.postern.access.SignatureResult.Invalid;
import dev.postern.access.SignatureResult.Valid;
import dev.postern.model.SignedContent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scheme with a signature in a header of its own, after a prefix such as {@code sha256=}. It signs the body, or a
 * timestamp and the body. GitHub, Slack and most others use it, each with names of its own.
 */
final class HmacSignatureScheme implements SignatureScheme {

    private static final byte[] NOTHING = {};

    private final String header;
    private final String prefix;
    private final boolean listed;
    private final @Nullable SignedTimestamp stamp;
    private final SigningKeys keys;

    /**
     * Creates a scheme.
     *
     * @param header the header that holds the signature
     * @param prefix the text before each signature; possibly empty, without a comma
     * @param listed whether the header may hold several signatures with commas between them, each after the prefix
     * @param stamp the signed timestamp; null if only the body is signed
     */
    HmacSignatureScheme(
            String header, String prefix, boolean listed, @Nullable SignedTimestamp stamp, SigningKeys keys) {
        this.header = header;
        this.prefix = prefix;
        this.listed = listed;
        this.stamp = stamp;
        this.keys = keys;
    }

    /**
     * A timestamp that is signed before the body.
     *
     * @param header the header that holds it
     * @param before the text that is signed before it
     * @param after the text that is signed between it and the body
     * @param recency the allowed distance from now
     */
    record SignedTimestamp(String header, String before, String after, TimestampTolerance recency) {

        /** The signed bytes before the body. */
        byte[] lead(String seconds) {
            return (before + seconds + after).getBytes(StandardCharsets.UTF_8);
        }
    }

    @Override
    public String headers() {
        return stamp == null ? header : header + ", " + stamp.header();
    }

    @Override
    public boolean isPresent(HeaderLookup headerLookup) {
        return SingleHeaderReader.singleValue(headerLookup, header) != null
                && (stamp == null || SingleHeaderReader.singleValue(headerLookup, stamp.header()) != null);
    }

    @Override
    public SignatureResult verify(HeaderLookup headerLookup, byte[] body) {
        String value = SingleHeaderReader.singleValue(headerLookup, header);
        if (value == null) {
            return Invalid.missing(headers());
        }
        byte[] lead = NOTHING;
        if (stamp != null) {
            String seconds = SingleHeaderReader.singleValue(headerLookup, stamp.header());
            if (seconds == null) {
                return Invalid.missing(headers());
            }
            @Nullable Invalid early = stamp.recency().error(seconds);
            if (early != null) {
                return early;
            }
            lead = stamp.lead(seconds);
        }
        @Nullable Invalid wrong = keys.error(signatures(value), lead, body);
        return wrong == null ? new Valid(SignedContent.of(lead, body, null)) : wrong;
    }

    private List<String> signatures(String value) {
        List<String> signatures = new ArrayList<>();
        for (String part : listed ? value.split(",", -1) : new String[] {value}) {
            String signature = SingleHeaderReader.trimmed(part, 0);
            if (signature.startsWith(prefix)) {
                signatures.add(signature.substring(prefix.length()));
            }
        }
        return signatures;
    }
}
