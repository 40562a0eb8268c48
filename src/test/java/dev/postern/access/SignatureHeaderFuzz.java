package dev.postern.access;

import static dev.postern.access.SigningVendor.SECRET;
import static dev.postern.access.SigningVendor.hash;
import static dev.postern.access.SigningVendor.hex;
import static dev.postern.access.SigningVendor.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.postern.it.InputCounter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A fuzz target of the headers of all signature schemes. An input is header fields, an empty line and the body. {@code RIGHT}
 * in a field stands for the header value that the vendor itself would send.
 */
@Tag("fuzz")
class SignatureHeaderFuzz {

    @RegisterExtension
    static final InputCounter INPUTS = new InputCounter("signed requests");

    private static final long SECONDS = Instant.parse("2026-03-01T12:00:00Z").getEpochSecond();
    private static final Set<SigningVendor> WITHOUT_TIME = EnumSet.of(SigningVendor.GITHUB, SigningVendor.PAGERDUTY);
    private static final Pattern STRIPE_TIME = Pattern.compile("t=([0-9]+)");

    /** The verifiers of all schemes, which are loaded when Jazzer is there. */
    private static final class Verifiers {

        static final Map<SigningVendor, SignatureVerifier> ALL = new EnumMap<>(SigningVendor.class);

        static {
            for (SigningVendor vendor : SigningVendor.values()) {
                ALL.put(
                        vendor,
                        SignatureVerifier.of(
                                vendor.verify(SECRET), () -> Instant.ofEpochSecond(SECONDS), SigningVendor.NO_TIME));
            }
        }
    }

    @FuzzTest
    void takesRightSignatureAlone(byte[] request) {
        INPUTS.increment();
        String[] parts = new String(request, StandardCharsets.ISO_8859_1).split("\n\n", 2);
        byte[] body = parts.length == 1 ? new byte[0] : parts[1].getBytes(StandardCharsets.ISO_8859_1);
        Verifiers.ALL.forEach((vendor, verifier) -> {
            RequestHeaders right = vendor.signedHeaders(SECRET, SECONDS, body);
            assertThat(verifier.verify(right, body).content()).as("%s", vendor).isPresent();
            assertThat(verifier.verify(right, Arrays.copyOf(body, body.length + 1))
                            .content())
                    .as("%s", vendor)
                    .isEmpty();

            if (!WITHOUT_TIME.contains(vendor)) {
                RequestHeaders old =
                        vendor.signedHeaders(SECRET, SECONDS - SigningVendor.TOLERANCE.toSeconds() - 1, body);
                assertThat(verifier.verify(old, body).content())
                        .as("%s", vendor)
                        .isEmpty();
            }

            RequestHeaders headers = headers(parts[0].replace("RIGHT", right.value(vendor.header)));
            SignatureResult result = verifier.verify(headers, body);
            assertThat(result.content().isPresent() && !isSigned(vendor, headers, body))
                    .as("%s: %s", vendor, headers)
                    .isFalse();
            if (result instanceof SignatureResult.Valid) {
                assertThat(verifier.isPresent(headers)).as("%s", vendor).isTrue();
            } else {
                assertThat(((SignatureResult.Invalid) result).detail()).doesNotContain(SECRET);
            }
        });
    }

    private static RequestHeaders headers(String lines) {
        RequestHeaders headers = RequestHeaders.empty();
        lines.lines().filter(line -> line.indexOf(':') > 0).forEach(line -> {
            int colon = line.indexOf(':');
            headers.with(
                    line.substring(0, colon), line.substring(colon + 1).strip().replace("NOW", "" + SECONDS));
        });
        return headers;
    }

    /** Whether {@code headers} hold the right signature anywhere where {@code vendor} sends it, in time. */
    private static boolean isSigned(SigningVendor vendor, RequestHeaders headers, byte[] body) {
        byte[] key = text(SECRET);
        return switch (vendor) {
            case STANDARD, SVIX -> isLabelled("webhook-", headers, body) || isLabelled("svix-", headers, body);
            case GITLAB ->
                isLabelled("webhook-", headers, body)
                        || value(headers, "x-gitlab-token").equals(SECRET);
            case GITHUB, PAGERDUTY -> isIn(value(headers, vendor.header), hash("HmacSHA256", key, "", body));
            case STRIPE ->
                STRIPE_TIME
                        .matcher(value(headers, vendor.header))
                        .results()
                        .map(time -> time.group(1))
                        .anyMatch(time -> isRecent(time)
                                && isIn(value(headers, vendor.header), hash("HmacSHA256", key, time + ".", body)));
            case SLACK -> {
                String time = value(headers, vendor.stamp());
                yield isRecent(time)
                        && isIn(value(headers, vendor.header), hash("HmacSHA256", key, "v0:" + time + ":", body));
            }
            case STAMPED -> {
                String time = value(headers, vendor.stamp());
                yield isRecent(time)
                        && isIn(value(headers, vendor.header), hash("HmacSHA512", key, time + "\u2192", body));
            }
        };
    }

    private static boolean isLabelled(String family, RequestHeaders headers, byte[] body) {
        String id = value(headers, family + "id");
        String time = value(headers, family + "timestamp");
        byte[] key = Base64.getDecoder().decode(SECRET.substring("whsec_".length()));
        return !id.isEmpty()
                && isRecent(time)
                && isIn(value(headers, family + "signature"), hash("HmacSHA256", key, id + "." + time + ".", body));
    }

    private static boolean isRecent(String time) {
        return time.matches("[0-9]{1,12}")
                && Math.abs(Long.parseLong(time) - SECONDS) <= SigningVendor.TOLERANCE.toSeconds();
    }

    private static boolean isIn(String value, byte[] hash) {
        return value.toLowerCase(Locale.ROOT).contains(hex(hash))
                || value.contains(Base64.getEncoder().encodeToString(hash));
    }

    /** The only value of a header; empty if it is missing, or sent twice. */
    private static String value(RequestHeaders headers, String name) {
        List<String> values = Collections.list(headers.values(name));
        return values.size() == 1 ? values.get(0) : "";
    }
}
