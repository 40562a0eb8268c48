package dev.postern.access;

import static dev.postern.access.SigningVendor.OTHER;
import static dev.postern.access.SigningVendor.SECRET;
import static dev.postern.access.SigningVendor.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms of the vendors' headers beside the plain one. */
class SignatureVerifierFormsTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final long SECONDS = NOW.getEpochSecond();
    private static final byte[] BODY = text("{}");
    private static final String WRONG = "0".repeat(64);

    @ParameterizedTest
    @EnumSource(names = {"GITHUB", "SLACK"})
    void refusesAListWhereTheVendorSendsOneSignature(SigningVendor signingVendor) {
        RequestHeaders requestHeaders = signingVendor.signedHeaders(SECRET, SECONDS, BODY);
        String right = requestHeaders.value(signingVendor.header);

        assertThat(verifies(signingVendor, requestHeaders.replacing(signingVendor.header, right + "," + right)))
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"GITHUB", "STRIPE", "SLACK", "PAGERDUTY"})
    void takesHexInEitherCase(SigningVendor signingVendor) {
        RequestHeaders requestHeaders = signingVendor.signedHeaders(SECRET, SECONDS, BODY);
        String right = requestHeaders.value(signingVendor.header);
        int hash = right.length() - 64;
        String upper = right.substring(0, hash) + right.substring(hash).toUpperCase(Locale.ROOT);

        assertThat(verifies(signingVendor, requestHeaders.replacing(signingVendor.header, upper)))
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"STANDARD", "STAMPED"})
    void takesBase64AsItIsWrittenAlone(SigningVendor signingVendor) {
        RequestHeaders requestHeaders = signingVendor.signedHeaders(SECRET, SECONDS, BODY);
        String right = requestHeaders.value(signingVendor.header);

        assertThat(verifies(signingVendor, requestHeaders.replacing(signingVendor.header, right.replace("=", ""))))
                .isFalse();
        assertThat(verifies(
                        signingVendor, requestHeaders.replacing(signingVendor.header, right.toLowerCase(Locale.ROOT))))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1=%s", "v1=%s,v1=%s", " v1=%s ,\tv1=%s", "v2=%2$s,v1=%1$s", ",,v1=%s,"})
    void takesTheRightOneOfTheSignaturesThatAHeaderLists(String form) {
        String right = SigningVendor.PAGERDUTY
                .signedHeaders(SECRET, SECONDS, BODY)
                .value(SigningVendor.PAGERDUTY.header)
                .substring(3);

        for (String list : new String[] {String.format(form, right, WRONG), String.format(form, right, right)}) {
            assertThat(verifies(
                            SigningVendor.PAGERDUTY, RequestHeaders.empty().with(SigningVendor.PAGERDUTY.header, list)))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"STANDARD", "GITLAB", "STRIPE", "PAGERDUTY"})
    void takesTenSignaturesInAHeaderAndNoMore(SigningVendor signingVendor) {
        RequestHeaders requestHeaders = signingVendor.signedHeaders(SECRET, SECONDS, BODY);
        String right = requestHeaders.value(signingVendor.header);
        String wrong =
                switch (signingVendor) {
                    case STANDARD, GITLAB -> "v1,AAAA ";
                    default -> "v1=" + WRONG + ",";
                };

        assertThat(verifies(signingVendor, requestHeaders.replacing(signingVendor.header, wrong.repeat(9) + right)))
                .isTrue();
        assertThat(verifies(signingVendor, requestHeaders.replacing(signingVendor.header, wrong.repeat(10) + right)))
                .isFalse();
    }

    @Test
    void refusesAStripeHeaderWithTwoTimestamps() {
        RequestHeaders requestHeaders = SigningVendor.STRIPE.signedHeaders(SECRET, SECONDS, BODY);
        String right = requestHeaders.value(SigningVendor.STRIPE.header);

        for (String wrong : new String[] {"t=1," + right, right + ",t=1", right + ",t=" + SECONDS}) {
            assertThat(verifies(SigningVendor.STRIPE, requestHeaders.replacing(SigningVendor.STRIPE.header, wrong)))
                    .isFalse();
        }
    }

    @Test
    void takesAStripeHeaderInAnyOrderWithSchemesItDoesNotKnow() {
        RequestHeaders requestHeaders = SigningVendor.STRIPE.signedHeaders(SECRET, SECONDS, BODY);
        String[] parts = requestHeaders.value(SigningVendor.STRIPE.header).split(",", -1);

        for (String form : new String[] {"%2$s,%1$s", "%1$s, %2$s", "v0=1,%1$s,v2=2,%2$s,x"}) {
            assertThat(verifies(
                            SigningVendor.STRIPE,
                            requestHeaders.replacing(
                                    SigningVendor.STRIPE.header, String.format(form, parts[0], parts[1]))))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"STANDARD", "SVIX", "GITLAB"})
    void rejectsRequestWithoutMessageId(SigningVendor signingVendor) {
        String id = signingVendor.header.replace("signature", "id");
        RequestHeaders requestHeaders = signingVendor.signedHeaders(SECRET, SECONDS, BODY);

        assertThat(SignatureVerifier.of(signingVendor.verify(SECRET), () -> NOW, SigningVendor.NO_TIME)
                        .isPresent(requestHeaders.without(id)))
                .isFalse();
        assertThat(verifies(signingVendor, requestHeaders.without(id))).isFalse();
        assertThat(verifies(signingVendor, requestHeaders.replacing(id, "msg_2")))
                .isFalse();
    }

    @Test
    void refusesAnEmptyMessageIdEvenWhenItIsSigned() {
        byte[] key = Base64.getDecoder().decode(SECRET.substring("whsec_".length()));
        byte[] hash = SigningVendor.hash("HmacSHA256", key, "." + SECONDS + ".", BODY);
        RequestHeaders requestHeaders = RequestHeaders.empty()
                .with("webhook-id", "")
                .with("webhook-timestamp", "" + SECONDS)
                .with("webhook-signature", "v1," + Base64.getEncoder().encodeToString(hash));

        assertThat(verifies(SigningVendor.STANDARD, requestHeaders)).isFalse();
    }

    @Test
    void prefersTheHeadersOfTheSpecificationToThoseOfSvix() {
        RequestHeaders both = SigningVendor.STANDARD.signedHeaders(SECRET, SECONDS, BODY);
        RequestHeaders svix = SigningVendor.SVIX.signedHeaders(OTHER, SECONDS, BODY);
        for (String name : new String[] {"svix-id", "svix-timestamp", "svix-signature"}) {
            both.with(name, svix.value(name));
        }

        assertThat(verifies(SigningVendor.STANDARD, both)).isTrue();
    }

    @Test
    void knowsNoSvixHeadersOfGitLab() {
        assertThat(verifies(SigningVendor.GITLAB, SigningVendor.SVIX.signedHeaders(SECRET, SECONDS, BODY)))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "glsecre", "glsecret1", "GLSECRET", "glsecret,glsecret"})
    void refusesAGitLabTokenThatIsNotTheSecret(String token) {
        SignatureVerifier signature =
                SignatureVerifier.of(SigningVendor.GITLAB.verify("glsecret"), () -> NOW, SigningVendor.NO_TIME);

        assertThat(signature
                        .verify(RequestHeaders.empty().with("x-gitlab-token", token), BODY)
                        .content())
                .isEmpty();
    }

    @Test
    void takesAGitLabTokenOnceAndOfAnySecret() {
        SignatureVerifier signature =
                SignatureVerifier.of(SigningVendor.GITLAB.verify("glsecret", SECRET), () -> NOW, SigningVendor.NO_TIME);

        for (String token : new String[] {"glsecret", SECRET}) {
            RequestHeaders requestHeaders = RequestHeaders.empty().with("x-gitlab-token", token);
            assertThat(signature.isPresent(requestHeaders)).isTrue();
            assertThat(signature.verify(requestHeaders, BODY).content()).isPresent();
            requestHeaders.with("x-gitlab-token", token);
            assertThat(signature.isPresent(requestHeaders)).isFalse();
            assertThat(signature.verify(requestHeaders, BODY).content()).isEmpty();
        }
    }

    @Test
    void takesAGitLabSignatureBesideATokenThatItDoesNotKnow() {
        RequestHeaders requestHeaders =
                SigningVendor.GITLAB.signedHeaders(SECRET, SECONDS, BODY).with("x-gitlab-token", "another");

        assertThat(verifies(SigningVendor.GITLAB, requestHeaders)).isTrue();
    }

    @Test
    void looksForNoGitLabSignatureWhereNoSecretCanSign() {
        SignatureVerifier signature =
                SignatureVerifier.of(SigningVendor.GITLAB.verify("glsecret"), () -> NOW, SigningVendor.NO_TIME);
        RequestHeaders requestHeaders = SigningVendor.GITLAB.signedHeaders(SECRET, SECONDS, BODY);

        assertThat(signature.isPresent(requestHeaders)).isFalse();
        assertThat(signature.verify(requestHeaders, BODY).content()).isEmpty();
    }

    private static boolean verifies(SigningVendor signingVendor, RequestHeaders requestHeaders) {
        return SignatureVerifier.of(signingVendor.verify(SECRET), () -> NOW, SigningVendor.NO_TIME)
                .verify(requestHeaders, BODY)
                .content()
                .isPresent();
    }
}
