package dev.postern.access;

import static dev.postern.access.Sender.OTHER;
import static dev.postern.access.Sender.SECRET;
import static dev.postern.access.Sender.text;
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
    void refusesAListWhereTheVendorSendsOneSignature(Sender sender) {
        Sent sent = sender.sends(SECRET, SECONDS, BODY);
        String right = sent.value(sender.header);

        assertThat(verifies(sender, sent.instead(sender.header, right + "," + right)))
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"GITHUB", "STRIPE", "SLACK", "PAGERDUTY"})
    void takesHexInEitherCase(Sender sender) {
        Sent sent = sender.sends(SECRET, SECONDS, BODY);
        String right = sent.value(sender.header);
        int hash = right.length() - 64;
        String upper = right.substring(0, hash) + right.substring(hash).toUpperCase(Locale.ROOT);

        assertThat(verifies(sender, sent.instead(sender.header, upper))).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"STANDARD", "STAMPED"})
    void takesBase64AsItIsWrittenAlone(Sender sender) {
        Sent sent = sender.sends(SECRET, SECONDS, BODY);
        String right = sent.value(sender.header);

        assertThat(verifies(sender, sent.instead(sender.header, right.replace("=", ""))))
                .isFalse();
        assertThat(verifies(sender, sent.instead(sender.header, right.toLowerCase(Locale.ROOT))))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1=%s", "v1=%s,v1=%s", " v1=%s ,\tv1=%s", "v2=%2$s,v1=%1$s", ",,v1=%s,"})
    void takesTheRightOneOfTheSignaturesThatAHeaderLists(String form) {
        String right = Sender.PAGERDUTY
                .sends(SECRET, SECONDS, BODY)
                .value(Sender.PAGERDUTY.header)
                .substring(3);

        for (String list : new String[] {String.format(form, right, WRONG), String.format(form, right, right)}) {
            assertThat(verifies(Sender.PAGERDUTY, Sent.nothing().with(Sender.PAGERDUTY.header, list)))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"STANDARD", "GITLAB", "STRIPE", "PAGERDUTY"})
    void takesTenSignaturesInAHeaderAndNoMore(Sender sender) {
        Sent sent = sender.sends(SECRET, SECONDS, BODY);
        String right = sent.value(sender.header);
        String wrong =
                switch (sender) {
                    case STANDARD, GITLAB -> "v1,AAAA ";
                    default -> "v1=" + WRONG + ",";
                };

        assertThat(verifies(sender, sent.instead(sender.header, wrong.repeat(9) + right)))
                .isTrue();
        assertThat(verifies(sender, sent.instead(sender.header, wrong.repeat(10) + right)))
                .isFalse();
    }

    @Test
    void refusesAStripeHeaderWithTwoTimestamps() {
        Sent sent = Sender.STRIPE.sends(SECRET, SECONDS, BODY);
        String right = sent.value(Sender.STRIPE.header);

        for (String wrong : new String[] {"t=1," + right, right + ",t=1", right + ",t=" + SECONDS}) {
            assertThat(verifies(Sender.STRIPE, sent.instead(Sender.STRIPE.header, wrong)))
                    .isFalse();
        }
    }

    @Test
    void takesAStripeHeaderInAnyOrderWithSchemesItDoesNotKnow() {
        Sent sent = Sender.STRIPE.sends(SECRET, SECONDS, BODY);
        String[] parts = sent.value(Sender.STRIPE.header).split(",", -1);

        for (String form : new String[] {"%2$s,%1$s", "%1$s, %2$s", "v0=1,%1$s,v2=2,%2$s,x"}) {
            assertThat(verifies(
                            Sender.STRIPE, sent.instead(Sender.STRIPE.header, String.format(form, parts[0], parts[1]))))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"STANDARD", "SVIX", "GITLAB"})
    void rejectsRequestWithoutMessageId(Sender sender) {
        String id = sender.header.replace("signature", "id");
        Sent sent = sender.sends(SECRET, SECONDS, BODY);

        assertThat(SignatureVerifier.of(sender.verify(SECRET), () -> NOW, Sender.NO_TIME)
                        .isPresent(sent.without(id)))
                .isFalse();
        assertThat(verifies(sender, sent.without(id))).isFalse();
        assertThat(verifies(sender, sent.instead(id, "msg_2"))).isFalse();
    }

    @Test
    void refusesAnEmptyMessageIdEvenWhenItIsSigned() {
        byte[] key = Base64.getDecoder().decode(SECRET.substring("whsec_".length()));
        byte[] hash = Sender.hash("HmacSHA256", key, "." + SECONDS + ".", BODY);
        Sent sent = Sent.nothing()
                .with("webhook-id", "")
                .with("webhook-timestamp", "" + SECONDS)
                .with("webhook-signature", "v1," + Base64.getEncoder().encodeToString(hash));

        assertThat(verifies(Sender.STANDARD, sent)).isFalse();
    }

    @Test
    void prefersTheHeadersOfTheSpecificationToThoseOfSvix() {
        Sent both = Sender.STANDARD.sends(SECRET, SECONDS, BODY);
        Sent svix = Sender.SVIX.sends(OTHER, SECONDS, BODY);
        for (String name : new String[] {"svix-id", "svix-timestamp", "svix-signature"}) {
            both.with(name, svix.value(name));
        }

        assertThat(verifies(Sender.STANDARD, both)).isTrue();
    }

    @Test
    void knowsNoSvixHeadersOfGitLab() {
        assertThat(verifies(Sender.GITLAB, Sender.SVIX.sends(SECRET, SECONDS, BODY)))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "glsecre", "glsecret1", "GLSECRET", "glsecret,glsecret"})
    void refusesAGitLabTokenThatIsNotTheSecret(String token) {
        SignatureVerifier signature = SignatureVerifier.of(Sender.GITLAB.verify("glsecret"), () -> NOW, Sender.NO_TIME);

        assertThat(signature
                        .verify(Sent.nothing().with("x-gitlab-token", token), BODY)
                        .content())
                .isEmpty();
    }

    @Test
    void takesAGitLabTokenOnceAndOfAnySecret() {
        SignatureVerifier signature =
                SignatureVerifier.of(Sender.GITLAB.verify("glsecret", SECRET), () -> NOW, Sender.NO_TIME);

        for (String token : new String[] {"glsecret", SECRET}) {
            Sent sent = Sent.nothing().with("x-gitlab-token", token);
            assertThat(signature.isPresent(sent)).isTrue();
            assertThat(signature.verify(sent, BODY).content()).isPresent();
            sent.with("x-gitlab-token", token);
            assertThat(signature.isPresent(sent)).isFalse();
            assertThat(signature.verify(sent, BODY).content()).isEmpty();
        }
    }

    @Test
    void takesAGitLabSignatureBesideATokenThatItDoesNotKnow() {
        Sent sent = Sender.GITLAB.sends(SECRET, SECONDS, BODY).with("x-gitlab-token", "another");

        assertThat(verifies(Sender.GITLAB, sent)).isTrue();
    }

    @Test
    void looksForNoGitLabSignatureWhereNoSecretCanSign() {
        SignatureVerifier signature = SignatureVerifier.of(Sender.GITLAB.verify("glsecret"), () -> NOW, Sender.NO_TIME);
        Sent sent = Sender.GITLAB.sends(SECRET, SECONDS, BODY);

        assertThat(signature.isPresent(sent)).isFalse();
        assertThat(signature.verify(sent, BODY).content()).isEmpty();
    }

    private static boolean verifies(Sender sender, Sent sent) {
        return SignatureVerifier.of(sender.verify(SECRET), () -> NOW, Sender.NO_TIME)
                .verify(sent, BODY)
                .content()
                .isPresent();
    }
}
