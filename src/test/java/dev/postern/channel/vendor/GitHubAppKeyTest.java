package dev.postern.channel.vendor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GitHubAppKeyTest {

    private static final Instant NOW = Instant.parse("2026-11-22T05:00:00Z");

    /** Length of what PKCS #8 has before a key of 2048 bits. */
    private static final int BEFORE = 26;

    static KeyPair pair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    static String pem(String kind, byte[] der) {
        return "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n-----END " + kind + "-----\n";
    }

    /** The key of {@code pair} as GitHub gives it, in PKCS #1. */
    static String pkcs1(KeyPair pair) {
        byte[] pkcs8 = pair.getPrivate().getEncoded();
        return pem("RSA PRIVATE KEY", Arrays.copyOfRange(pkcs8, BEFORE, pkcs8.length));
    }

    @Test
    void signsWithAKeyInEitherForm() throws GeneralSecurityException, IOException {
        KeyPair pair = pair();
        String pkcs8 = pem("PRIVATE KEY", pair.getPrivate().getEncoded());
        String token = new GitHubAppKey(pkcs1(pair)).token("4711", NOW);

        assertThat(new GitHubAppKey(pkcs8).token("4711", NOW)).isEqualTo(token);
        String[] parts = token.split("\\.", -1);
        assertThat(parts).hasSize(3);
        assertThat(json(parts[0])).isEqualTo(VendorFile.JSON.readTree("{\"alg\":\"RS256\",\"typ\":\"JWT\"}"));
        assertThat(json(parts[1]).path("iss").textValue()).isEqualTo("4711");
        assertThat(json(parts[1]).path("iat").longValue()).isEqualTo(NOW.getEpochSecond() - 60);
        assertThat(json(parts[1]).path("exp").longValue()).isBetween(NOW.getEpochSecond(), NOW.getEpochSecond() + 600);
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initVerify(pair.getPublic());
        signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.UTF_8));
        assertThat(signature.verify(Base64.getUrlDecoder().decode(parts[2]))).isTrue();
    }

    private static JsonNode json(String part) throws IOException {
        return VendorFile.JSON.readTree(Base64.getUrlDecoder().decode(part));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "MIIE",
                "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
                "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
                "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----"
            })
    void knowsWhatIsNoKey(String pem) {
        assertThatExceptionOfType(GeneralSecurityException.class).isThrownBy(() -> new GitHubAppKey(pem));
    }
}
