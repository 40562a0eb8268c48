package dev.postern.access;

import dev.postern.access.SignatureResult.Invalid;
import dev.postern.config.MappingSettings.Encoding;
import dev.postern.model.Secret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The keys with which a sender may have signed. A signature is a keyed hash (RFC 2104) over the bytes as received, in
 * hex of either case or in padded base64 (RFC 4648 sections 8 and 4). Every key is tried with every signature, even
 * after a match, and each pair is compared in constant time.
 */
final class SigningKeys {

    private static final String STANDARD_PREFIX = "whsec_";
    /** The maximum number of signatures in one header; senders list two or three while their secret is rotated. */
    private static final int MAX_SIGNATURES = 10;

    private static final Pattern HEX = Pattern.compile("[0-9a-f]*");
    private static final Pattern BASE64 = Pattern.compile("[0-9A-Za-z+/]*={0,2}");

    private final List<SecretKeySpec> keys;
    private final Encoding encoding;

    private SigningKeys(List<SecretKeySpec> keys, Encoding encoding) {
        this.keys = List.copyOf(keys);
        this.encoding = encoding;
    }

    /**
     * Keys that are the secrets' UTF-8 bytes.
     *
     * @param algorithm a name for {@link Mac#getInstance(String)}
     * @throws IllegalArgumentException for an empty secret, no secret at all, or an algorithm that this Java lacks
     */
    static SigningKeys ofText(List<Secret> secrets, String algorithm, Encoding encoding) {
        List<byte[]> keys = secrets.stream().map(Secret::bytes).toList();
        return of(keys, algorithm, encoding);
    }

    /**
     * Keys in the form of Standard Webhooks: base64, padded or not, with or without {@code whsec_} before it.
     *
     * @throws IllegalArgumentException for a secret that is empty or not base64, and for no secret at all
     */
    static SigningKeys ofBase64(List<Secret> secrets) {
        List<byte[]> keys = new ArrayList<>();
        for (Secret secret : secrets) {
            keys.add(decoded(secret));
        }
        return of(keys, "HmacSHA256", Encoding.BASE64);
    }

    /** Whether a secret has the prefix that marks one of Standard Webhooks. */
    static boolean isMarked(Secret secret) {
        return secret.reveal().startsWith(STANDARD_PREFIX);
    }

    private static byte[] decoded(Secret secret) {
        String text = secret.reveal();
        try {
            return Base64.getDecoder().decode(isMarked(secret) ? text.substring(STANDARD_PREFIX.length()) : text);
        } catch (IllegalArgumentException noBase64) {
            // The decoder's own message quotes a character of the secret.
            throw new IllegalArgumentException("a secret is not base64, with or without whsec_ before it");
        }
    }

    private static SigningKeys of(List<byte[]> secrets, String algorithm, Encoding encoding) {
        if (secrets.isEmpty()) {
            throw new IllegalArgumentException("there is no secret");
        }
        List<SecretKeySpec> keys = new ArrayList<>();
        for (byte[] secret : secrets) {
            if (secret.length == 0) {
                throw new IllegalArgumentException("a secret is empty");
            }
            keys.add(new SecretKeySpec(secret, algorithm));
        }
        try {
            Mac.getInstance(algorithm);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalArgumentException("this Java has no keyed hash [" + algorithm + "]", missing);
        }
        return new SigningKeys(keys, encoding);
    }

    /**
     * The error of {@code signatures} of which none is right for {@code lead} followed by {@code body} with one of the
     * keys; null if one is. More than ten signatures are rejected.
     */
    @Nullable
    Invalid error(List<String> signatures, byte[] lead, byte[] body) {
        if (signatures.isEmpty()) {
            return Invalid.malformed("The header holds no signature in the form of this sender.");
        }
        if (signatures.size() > MAX_SIGNATURES) {
            return Invalid.malformed("The header holds more than " + MAX_SIGNATURES + " signatures.");
        }
        List<byte[]> received = signatures.stream().map(this::normal).toList();
        boolean signed = false;
        for (SecretKeySpec key : keys) {
            byte[] right = written(hash(key, lead, body));
            for (byte[] signature : received) {
                signed |= MessageDigest.isEqual(right, signature);
            }
        }
        if (signed) {
            return null;
        }
        int length = written(hash(keys.get(0), lead, body)).length;
        return received.stream().anyMatch(signature -> signature.length == length && isDecodable(signature))
                ? new Invalid(
                        SignatureError.DIGEST,
                        "The signature differs: the sender has another secret, or the body was changed on its way.")
                : Invalid.malformed("The signature is not " + length + " characters of "
                        + encoding.name().toLowerCase(Locale.ROOT) + ".");
    }

    private boolean isDecodable(byte[] signature) {
        String text = new String(signature, StandardCharsets.UTF_8);
        return (encoding == Encoding.HEX ? HEX : BASE64).matcher(text).matches();
    }

    private byte[] normal(String signature) {
        String text = encoding == Encoding.HEX ? signature.toLowerCase(Locale.ROOT) : signature;
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private byte[] written(byte[] hash) {
        return switch (encoding) {
            case HEX -> HexFormat.of().formatHex(hash).getBytes(StandardCharsets.US_ASCII);
            case BASE64 -> Base64.getEncoder().encode(hash);
        };
    }

    private static byte[] hash(SecretKeySpec key, byte[] lead, byte[] body) {
        try {
            Mac mac = Mac.getInstance(key.getAlgorithm());
            mac.init(key);
            mac.update(lead);
            return mac.doFinal(body);
        } catch (GeneralSecurityException gone) {
            throw new IllegalStateException("a keyed hash that was there at start is gone", gone);
        }
    }
}
