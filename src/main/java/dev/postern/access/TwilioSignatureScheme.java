package dev.postern.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.access.SignatureResult.Invalid;
import dev.postern.access.SignatureResult.Valid;
import dev.postern.model.FormField;
import dev.postern.model.Sha256;
import dev.postern.model.SignedContent;
import java.net.URI;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The scheme of Twilio. It signs the address as Twilio calls it, and the names and values of the form's fields, sorted. If
 * the body is JSON, it signs the body's hash, which Twilio adds to the address ({@code bodySHA256}).
 *
 * @see <a href="https://www.twilio.com/docs/usage/security#validating-requests">Twilio: validating requests</a>
 */
final class TwilioSignatureScheme implements SignatureScheme {

    private static final String HEADER = "x-twilio-signature";
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private final URI address;
    private final SigningKeys keys;

    /** @param address the address that is set at Twilio, with its query if it has one */
    TwilioSignatureScheme(URI address, SigningKeys keys) {
        this.address = address;
        this.keys = keys;
    }

    @Override
    public String headers() {
        return HEADER;
    }

    @Override
    public SignatureResult verify(HeaderLookup headerLookup, byte[] body) {
        @Nullable String signature = SingleHeaderReader.singleValue(headerLookup, HEADER);
        if (signature == null) {
            return Invalid.missing(HEADER);
        }
        boolean isJson = body.length > 0 && (body[0] == '{' || body[0] == '[');
        Optional<byte[]> fields = isJson ? Optional.of(new byte[0]) : fields(body);
        if (fields.isEmpty()) {
            return Invalid.malformed("The body is neither a form nor JSON.");
        }
        String called = isJson ? withHash(address.toString(), body) : address.toString();
        Invalid wrong = keys.error(List.of(signature), called.getBytes(UTF_8), fields.get());
        if (wrong != null && keys.error(List.of(signature), otherPort(called).getBytes(UTF_8), fields.get()) == null) {
            wrong = null;
        }
        return wrong == null ? new Valid(SignedContent.of(called.getBytes(UTF_8), fields.get(), null)) : wrong;
    }

    /** The names and values of the form {@code body}, sorted, each only once; empty if it is no form. */
    private static Optional<byte[]> fields(byte[] body) {
        return FormField.read(body).map(fields -> {
            StringBuilder signed = new StringBuilder();
            fields.stream()
                    .sorted(Comparator.comparing(FormField::name).thenComparing(FormField::value))
                    .distinct()
                    .forEach(field -> signed.append(field.name()).append(field.value()));
            return signed.toString().getBytes(UTF_8);
        });
    }

    private static String withHash(String called, byte[] body) {
        String hash = HexFormat.of().formatHex(Sha256.of(body));
        return called + (called.contains("?") ? "&" : "?") + "bodySHA256=" + hash;
    }

    /** The address with the scheme's own port if it has no port, and without a port if it has one; Twilio may sign either. */
    private String otherPort(String called) {
        String host = address.getScheme() + "://" + address.getRawAuthority();
        String other = address.getPort() >= 0
                ? host.substring(0, host.lastIndexOf(':'))
                : host + ":" + (address.getScheme().equals("https") ? HTTPS_PORT : HTTP_PORT);
        return other + called.substring(host.length());
    }
}
