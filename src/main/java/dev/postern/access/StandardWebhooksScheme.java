package dev.postern.access;

import dev.postern.access.SignatureResult.Invalid;
import dev.postern.access.SignatureResult.Valid;
import dev.postern.model.SignedContent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The scheme of the Standard Webhooks specification: {@code v1,<base64>} entries with spaces between them. They sign
 * id, timestamp and body with full stops between them. Other versions ({@code v1a}) are ignored.
 *
 * @see <a href="https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md">the
 *     specification</a>
 */
final class StandardWebhooksScheme implements SignatureScheme {

    /** The header names of the specification. */
    static final Names WEBHOOK = new Names("webhook-id", "webhook-timestamp", "webhook-signature");
    /** The header names of Svix, where the specification comes from. */
    static final Names SVIX = new Names("svix-id", "svix-timestamp", "svix-signature");

    private static final String VERSION = "v1,";

    private final List<Names> names;
    private final SigningKeys keys;
    private final TimestampTolerance timestampTolerance;

    /**
     * Creates a scheme.
     *
     * @param names the accepted header names; the first whose headers are all present count
     */
    StandardWebhooksScheme(List<Names> names, SigningKeys keys, TimestampTolerance timestampTolerance) {
        this.names = List.copyOf(names);
        this.keys = keys;
        this.timestampTolerance = timestampTolerance;
    }

    /** The names of the three headers. */
    record Names(String id, String timestamp, String signature) {

        @Nullable
        Label read(HeaderLookup headerLookup) {
            String idSent = SingleHeaderReader.singleValue(headerLookup, id);
            String timestampSent = SingleHeaderReader.singleValue(headerLookup, timestamp);
            String signaturesSent = SingleHeaderReader.singleValue(headerLookup, signature);
            return idSent == null || timestampSent == null || signaturesSent == null
                    ? null
                    : new Label(idSent, timestampSent, signaturesSent);
        }
    }

    /** The values of the three headers. */
    private record Label(String id, String timestamp, String signatures) {

        byte[] lead() {
            return (id + "." + timestamp + ".").getBytes(StandardCharsets.ISO_8859_1);
        }

        List<String> ofOurVersion() {
            return Arrays.stream(signatures.split(" ", -1))
                    .filter(entry -> entry.startsWith(VERSION))
                    .map(entry -> entry.substring(VERSION.length()))
                    .toList();
        }
    }

    @Override
    public String headers() {
        return names.stream()
                .map(each -> each.id() + ", " + each.timestamp() + ", " + each.signature())
                .collect(Collectors.joining("; or "));
    }

    @Override
    public boolean isPresent(HeaderLookup headerLookup) {
        return label(headerLookup) != null;
    }

    @Override
    public SignatureResult verify(HeaderLookup headerLookup, byte[] body) {
        Label label = label(headerLookup);
        if (label == null) {
            return Invalid.missing(headers());
        }
        if (label.id().isEmpty()) {
            return Invalid.malformed("The id of the message is empty.");
        }
        @Nullable Invalid wrong = timestampTolerance.error(label.timestamp());
        if (wrong == null) {
            wrong = keys.error(label.ofOurVersion(), label.lead(), body);
        }
        return wrong == null ? new Valid(SignedContent.of(label.lead(), body, label.id())) : wrong;
    }

    private @Nullable Label label(HeaderLookup headerLookup) {
        for (Names each : names) {
            Label label = each.read(headerLookup);
            if (label != null) {
                return label;
            }
        }
        return null;
    }
}
