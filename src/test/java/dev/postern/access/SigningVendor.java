package dev.postern.access;

import dev.postern.config.MappingSettings.Encoding;
import dev.postern.config.MappingSettings.Scheme;
import dev.postern.config.MappingSettings.SignatureForm;
import dev.postern.config.MappingSettings.Verify;
import dev.postern.model.Secret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** A sender that signs as its vendor documents it, and the setting by which it is verified. */
enum SigningVendor {
    STANDARD("webhook-signature", "webhook-timestamp", Scheme.STANDARD_WEBHOOKS) {
        @Override
        RequestHeaders signedHeaders(String secret, long now, byte[] body) {
            return labelled("webhook-", secret, now, body);
        }
    },
    SVIX("svix-signature", "svix-timestamp", Scheme.STANDARD_WEBHOOKS) {
        @Override
        RequestHeaders signedHeaders(String secret, long now, byte[] body) {
            return labelled("svix-", secret, now, body);
        }
    },
    GITHUB("x-hub-signature-256", null, Scheme.GITHUB) {
        @Override
        RequestHeaders signedHeaders(String secret, long now, byte[] body) {
            return RequestHeaders.empty().with(header, "sha256=" + hex(hash("HmacSHA256", text(secret), "", body)));
        }
    },
    STRIPE("stripe-signature", null, Scheme.STRIPE) {
        @Override
        RequestHeaders signedHeaders(String secret, long now, byte[] body) {
            return RequestHeaders.empty()
                    .with(header, "t=" + now + ",v1=" + hex(hash("HmacSHA256", text(secret), now + ".", body)));
        }
    },
    SLACK("x-slack-signature", "x-slack-request-timestamp", Scheme.SLACK) {
        @Override
        RequestHeaders signedHeaders(String secret, long now, byte[] body) {
            return RequestHeaders.empty()
                    .with(stamp(), "" + now)
                    .with(header, "v0=" + hex(hash("HmacSHA256", text(secret), "v0:" + now + ":", body)));
        }
    },
    GITLAB("webhook-signature", "webhook-timestamp", Scheme.GITLAB) {
        @Override
        RequestHeaders signedHeaders(String secret, long now, byte[] body) {
            return labelled("webhook-", secret, now, body);
        }
    },
    /** The scheme of PagerDuty: several signatures in one header, no timestamp. */
    PAGERDUTY("x-pagerduty-signature", null, Scheme.HMAC) {
        @Override
        RequestHeaders signedHeaders(String secret, long now, byte[] body) {
            return RequestHeaders.empty().with(header, "v1=" + hex(hash("HmacSHA256", text(secret), "", body)));
        }

        @Override
        Verify verify(List<Secret> secrets) {
            return generic(secrets, header, "HmacSHA256", Encoding.HEX, "v1=", null, "");
        }
    },
    /** The scheme in which every setting is configured. */
    STAMPED("x-signature", "x-time", Scheme.HMAC) {
        @Override
        RequestHeaders signedHeaders(String secret, long now, byte[] body) {
            byte[] hash = hash("HmacSHA512", text(secret), now + "\u2192", body);
            return RequestHeaders.empty()
                    .with(stamp(), "" + now)
                    .with(header, "sig:" + Base64.getEncoder().encodeToString(hash));
        }

        @Override
        Verify verify(List<Secret> secrets) {
            return generic(secrets, header, "HmacSHA512", Encoding.BASE64, "sig:", stamp(), "\u2192");
        }
    };

    /** A reader that finds no time in any body. */
    static final SignatureVerifier.BodyTime NO_TIME = (body, field) -> Optional.empty();

    static final Duration TOLERANCE = Duration.ofMinutes(5);
    static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    static final String OTHER = "whsec_PlBmHwhBtC8IZAqIHBHEVzTFqBgzkGFn";

    final String header;
    private final @Nullable String stamp;
    private final Scheme scheme;

    SigningVendor(String header, @Nullable String stamp, Scheme scheme) {
        this.header = header;
        this.stamp = stamp;
        this.scheme = scheme;
    }

    /** The headers of a request that is signed at {@code now}. */
    abstract RequestHeaders signedHeaders(String secret, long now, byte[] body);

    /** The setting. The fields that the scheme fixes have other values, since they must not be read. */
    Verify verify(List<Secret> secrets) {
        SignatureForm unread = new SignatureForm("x-not-read", "NotRead", Encoding.BASE64, "not,read", null, "!");
        return new Verify(scheme, secrets, false, unread, null, TOLERANCE);
    }

    Verify verify(String... secrets) {
        return verify(Stream.of(secrets).map(Secret::new).toList());
    }

    static Stream<SigningVendor> stamped() {
        return Stream.of(STANDARD, SVIX, STRIPE, SLACK, GITLAB, STAMPED);
    }

    static Stream<SigningVendor> stampedInAHeader() {
        return stamped().filter(signingVendor -> signingVendor.stamp != null);
    }

    String stamp() {
        if (stamp == null) {
            throw new IllegalStateException(this + " sends no timestamp in a header");
        }
        return stamp;
    }

    static Verify generic(
            List<Secret> secrets,
            String header,
            String algorithm,
            Encoding encoding,
            String prefix,
            @Nullable String stamp,
            String separator) {
        SignatureForm form = new SignatureForm(header, algorithm, encoding, prefix, stamp, separator);
        return new Verify(Scheme.HMAC, secrets, false, form, null, TOLERANCE);
    }

    static byte[] hash(String algorithm, byte[] key, String lead, byte[] body) {
        try {
            Mac mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(key, algorithm));
            mac.update(lead.getBytes(StandardCharsets.UTF_8));
            return mac.doFinal(body);
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException(missing);
        }
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    static byte[] text(String value) {
        return value.getBytes(StandardCharsets.UTF_8);
    }

    private static RequestHeaders labelled(String family, String secret, long now, byte[] body) {
        byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
        byte[] hash = hash("HmacSHA256", key, "msg_1." + now + ".", body);
        return RequestHeaders.empty()
                .with(family + "id", "msg_1")
                .with(family + "timestamp", "" + now)
                .with(family + "signature", "v1," + Base64.getEncoder().encodeToString(hash));
    }
}
