package dev.postern.access;

import dev.postern.access.SignatureResult.Invalid;
import dev.postern.access.SignatureResult.Valid;
import dev.postern.model.Secret;
import dev.postern.model.SignedContent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The scheme of GitLab, which has two credentials. Its secret token is sent as it is in {@code x-gitlab-token}. Its
 * signing token, {@code whsec_} and base64, signs as in Standard Webhooks. A webhook may send both, and either is
 * enough. The next request may lack one of them, so the body alone decides whether two requests are the same.
 *
 * @see <a href="https://docs.gitlab.com/user/project/integrations/webhooks/">GitLab: webhooks</a>
 * @see <a href="https://gitlab.com/gitlab-org/gitlab/-/merge_requests/231325">GitLab: form of a signing token</a>
 */
final class GitLabSignatureScheme implements SignatureScheme {

    private static final String HEADER = "x-gitlab-token";

    private final HookTokens tokens;
    private final @Nullable StandardWebhooksScheme signing;

    /**
     * Creates a scheme.
     *
     * @throws IllegalArgumentException if a secret is empty, none is given, or no base64 follows {@code whsec_}
     */
    GitLabSignatureScheme(List<Secret> secrets, TimestampTolerance timestampTolerance) {
        if (secrets.isEmpty()) {
            throw new IllegalArgumentException("there is no secret");
        }
        if (secrets.stream().anyMatch(secret -> secret.reveal().isEmpty())) {
            throw new IllegalArgumentException("a secret is empty");
        }
        List<Secret> marked = secrets.stream().filter(SigningKeys::isMarked).toList();
        this.tokens = new HookTokens(secrets);
        this.signing = marked.isEmpty()
                ? null
                : new StandardWebhooksScheme(
                        List.of(StandardWebhooksScheme.WEBHOOK), SigningKeys.ofBase64(marked), timestampTolerance);
    }

    @Override
    public String headers() {
        return signing == null ? HEADER : HEADER + "; or " + signing.headers();
    }

    @Override
    public boolean isPresent(HeaderLookup headerLookup) {
        return SingleHeaderReader.singleValue(headerLookup, HEADER) != null
                || (signing != null && signing.isPresent(headerLookup));
    }

    @Override
    public SignatureResult verify(HeaderLookup headerLookup, byte[] body) {
        String token = SingleHeaderReader.singleValue(headerLookup, HEADER);
        if (token != null && tokens.contains(token)) {
            return new Valid(SignedContent.of(body));
        }
        if (signing == null || !signing.isPresent(headerLookup)) {
            return token == null
                    ? Invalid.missing(headers())
                    : new Invalid(SignatureError.DIGEST, "The secret in " + HEADER + " is another one.");
        }
        return signing.verify(headerLookup, body) instanceof Invalid wrong ? wrong : new Valid(SignedContent.of(body));
    }
}
