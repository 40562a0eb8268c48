package dev.postern.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.config.MappingSettings.Encoding;
import dev.postern.config.MappingSettings.Verify;
import dev.postern.model.Secret;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignatureVerifierSecretTest {

    private static final List<Secret> SECRETS = List.of(new Secret("It's a Secret to Everybody"));

    @ParameterizedTest
    @EnumSource
    void refusesToBeMadeWithoutASecret(SigningVendor signingVendor) {
        assertThatThrownBy(() -> made(signingVendor.verify()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no secret");
    }

    @ParameterizedTest
    @EnumSource
    void refusesAnEmptySecretEvenBesideARightOne(SigningVendor signingVendor) {
        assertThatThrownBy(() -> made(signingVendor.verify(SigningVendor.SECRET, "")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a secret is empty");
    }

    @ParameterizedTest
    @EnumSource(names = {"STANDARD", "GITLAB"})
    void refusesASecretThatIsNothingButItsMark(SigningVendor signingVendor) {
        assertThatThrownBy(() -> made(signingVendor.verify("whsec_")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a secret is empty");
    }

    @ParameterizedTest
    @CsvSource({
        "STANDARD, whsec_not/base64!",
        "STANDARD, not/base64!",
        "STANDARD, whsec_whsec_AAAA",
        "STANDARD, whsec_A",
        "GITLAB, whsec_not/base64!"
    })
    void refusesASecretThatIsNoBase64WithoutQuotingIt(SigningVendor signingVendor, String secret) {
        assertThatThrownBy(() -> made(signingVendor.verify(secret)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a secret is not base64, with or without whsec_ before it")
                .hasNoCause();
    }

    @ParameterizedTest
    @ValueSource(strings = {"HmacSHA999", "MD5"})
    void refusesAKeyedHashThatJavaLacks(String algorithm) {
        assertThatThrownBy(() -> made(generic(algorithm, "")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[" + algorithm + "]");
    }

    @Test
    void refusesAPrefixWithAComma() {
        assertThatThrownBy(() -> made(generic("HmacSHA256", "a,b=")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("comma");
    }

    /** By RFC 2202 test case 2 and RFC 4231 test case 2. */
    @ParameterizedTest
    @CsvSource({
        "HmacSHA1, effcdf6ae5eb2fa2d27416d5f184df9c259a7c79",
        "HmacSHA256, 5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        "HmacSHA512, 164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
    })
    void computesEachKeyedHashAsItsStandardHasIt(String algorithm, String hash) {
        Verify verify =
                SigningVendor.generic(List.of(new Secret("Jefe")), "x-sig", algorithm, Encoding.HEX, "", null, "");

        assertThat(made(verify)
                        .verify(
                                RequestHeaders.empty().with("x-sig", hash),
                                SigningVendor.text("what do ya want for nothing?"))
                        .content())
                .isPresent();
    }

    private static Verify generic(String algorithm, String prefix) {
        return SigningVendor.generic(SECRETS, "x-sig", algorithm, Encoding.HEX, prefix, null, "");
    }

    private static SignatureVerifier made(Verify verify) {
        return SignatureVerifier.of(verify, () -> Instant.EPOCH, SigningVendor.NO_TIME);
    }
}
