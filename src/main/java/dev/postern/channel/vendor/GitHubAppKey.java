package dev.postern.channel.vendor;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The private key of a GitHub App, which signs the tokens that prove the app's identity (JSON Web Token, RS256). */
final class GitHubAppKey {

    private static final Pattern PEM = Pattern.compile(
            "-----BEGIN (?<kind>RSA )?PRIVATE KEY-----(?<base64>[A-Za-z0-9+/=\\s]++)-----END (RSA )?PRIVATE KEY-----");

    /** The version and the algorithm of an RSA key in PKCS #8 (RFC 5208, RFC 8017), in DER. */
    private static final byte[] RSA = HexFormat.of().parseHex("020100300d06092a864886f70d0101010500");

    private static final int SEQUENCE = 0x30;
    private static final int OCTET_STRING = 0x04;

    /** The time by which the clocks of GitHub and of this machine may differ. */
    private static final Duration SKEW = Duration.ofMinutes(1);

    /** The lifetime of a token, of which GitHub allows ten minutes. */
    private static final Duration LIFETIME = Duration.ofMinutes(8);

    private final PrivateKey key;

    /**
     * Reads a key.
     *
     * @param pem a key in PKCS #1, as GitHub makes it, or in PKCS #8
     * @throws GeneralSecurityException if it is no RSA key
     */
    GitHubAppKey(String pem) throws GeneralSecurityException {
        Matcher found = PEM.matcher(pem);
        if (!found.find()) {
            throw new GeneralSecurityException("no PEM");
        }
        byte[] der = Base64.getMimeDecoder().decode(found.group("base64"));
        this.key = KeyFactory.getInstance("RSA")
                .generatePrivate(new PKCS8EncodedKeySpec(found.group("kind") == null ? der : wrapped(der)));
    }

    /** The PKCS #8 form of a key in PKCS #1. */
    private static byte[] wrapped(byte[] pkcs1) {
        byte[] octets = element(OCTET_STRING, pkcs1);
        byte[] content = new byte[RSA.length + octets.length];
        System.arraycopy(RSA, 0, content, 0, RSA.length);
        System.arraycopy(octets, 0, content, RSA.length, octets.length);
        return element(SEQUENCE, content);
    }

    /** An element in DER with a length of two bytes, which any key needs and none exceeds. */
    private static byte[] element(int tag, byte[] content) {
        byte[] element = new byte[content.length + 4];
        element[0] = (byte) tag;
        element[1] = (byte) 0x82;
        element[2] = (byte) (content.length >> 8);
        element[3] = (byte) content.length;
        System.arraycopy(content, 0, element, 4, content.length);
        return element;
    }

    /**
     * A token that proves at {@code now} that its bearer is the app.
     *
     * @param app the app's id or its client id
     */
    String token(String app, Instant now) {
        ObjectNode claims = VendorHttpClient.object()
                .put("iat", now.minus(SKEW).getEpochSecond())
                .put("exp", now.plus(LIFETIME).getEpochSecond())
                .put("iss", app);
        String signed = encoded("{\"alg\":\"RS256\",\"typ\":\"JWT\"}".getBytes(StandardCharsets.UTF_8)) + "."
                + encoded(claims.toString().getBytes(StandardCharsets.UTF_8));
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(key);
            signature.update(signed.getBytes(StandardCharsets.UTF_8));
            return signed + "." + encoded(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA256withRSA", e);
        }
    }

    private static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
