package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of the headers that no template, script, match or kept payload has: credentials of senders and of proxies. */
class CredentialHeadersTest {

    private final CredentialHeaders headers = CredentialHeaders.of(List.of(), List.of());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization",
                "Proxy-Authorization",
                "X-Forwarded-Authorization",
                "Cookie",
                "X-Auth-Key",
                "X-Webhook-Auth",
                "X-AuthToken",
                "X-Gitlab-Token",
                "X-Amz-Security-Token",
                "X-Amzn-Oidc-Accesstoken",
                "X-Amzn-Oidc-Data",
                "Cf-Access-Jwt-Assertion",
                "X-Goog-Iap-Jwt-Assertion",
                "X-Forwarded-Client-Cert",
                "Ssl_Client_Cert",
                "Ocp-Apim-Subscription-Key",
                "X-Functions-Key",
                "X-Rapidapi-Key",
                "X-ApiKey",
                "X-Secretkey",
                "X-Passcode",
                "X-Hub-Signature-256",
                "X-Slack-Signature",
                "X-Shopify-Hmac-Sha256",
                "X-Sig",
                "Plaid-Verification",
                "X-Trello-Webhook",
                "Idempotency-Token-Secret",
                "Idempotency-Token-Signature",
                "X-Auth-Idempotency-Token",
                "X-Auth-Token-Idempotency-Token",
                "X-Sig-Idempotency-Tokens",
                "X-Idempotency-Tokenjwt",
                "X-Nonidempotency-Token",
                "Token-Of-Idempotency"
            })
    void withholdsWhatAdmitsSomebody(String name) {
        assertThat(headers.contains(name.toLowerCase(Locale.ROOT))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Idempotency-Key",
                "I-Twilio-Idempotency-Token",
                "X-Idempotency_Token-2",
                "X-Event-Key",
                "X-Request-Id",
                "X-GitHub-Event",
                "X-GitHub-Hook-Installation-Target-Type",
                "X-Gitlab-Event-UUID",
                "X-Shopify-Topic",
                "Webhook-Id",
                "Webhook-Timestamp",
                "Ce-Partitionkey",
                "X-Design",
                "X-Author",
                "Authentication-Results",
                "Content-Digest",
                "User-Agent"
            })
    void passesOthersOn(String name) {
        assertThat(headers.contains(name.toLowerCase(Locale.ROOT))).isFalse();
    }
}
