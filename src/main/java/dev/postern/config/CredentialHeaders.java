package dev.postern.config;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The request headers that carry credentials or signatures, for Postern or another service. No template, script or
 * match sees them. A header is known by its name: one of {@code names}, or one with a word such as {@code signature},
 * {@code token}, {@code secret} or {@code jwt} in it.
 *
 * @param names in lower case
 */
public record CredentialHeaders(Set<String> names) {

    /** The usual headers of credentials whose names have none of the words. */
    private static final Set<String> ALWAYS = Set.of("cookie", "plaid-verification", "x-trello-webhook");

    private static final Pattern SIGNATURE = Pattern.compile("(.*-)?(signature|sig|hmac)(-.*)?");

    /** The words, also as parts of longer ones as in {@code X-AuthToken}; names of keys that are no secrets are common. */
    private static final Pattern CREDENTIAL = Pattern.compile("token|secret|signature|hmac|password|passwd|passcode"
            + "|passphrase|credential|authorization|bearer|jwt|oidc|client[-_]cert"
            + "|(access|api|auth|functions|license|master|private|service|shared|subscription)[-_]?key"
            + "|(?<![a-z])sig(?![a-z])|(?<![a-z])auth$");

    /** A word of the name of a delivery's id, such as Twilio's {@code I-Twilio-Idempotency-Token}; it is no credential. */
    private static final Pattern DELIVERY_ID = Pattern.compile("[-_]?(?<![a-z])idempotency[-_]?token(?![a-z])");

    public CredentialHeaders {
        names = Set.copyOf(names);
    }

    /**
     * The headers of a configuration.
     *
     * @param tokenHeaders the headers that may carry the token
     * @param mappings the mappings, each of which adds the header of its own signature
     */
    static CredentialHeaders of(List<String> tokenHeaders, List<MappingSettings> mappings) {
        Set<String> names = new HashSet<>(ALWAYS);
        names.addAll(tokenHeaders);
        for (MappingSettings mapping : mappings) {
            if (mapping.verify() != null) {
                names.add(mapping.verify().form().header());
            }
        }
        return new CredentialHeaders(names);
    }

    /** Whether the header {@code name}, in lower case, carries a credential or a signature. */
    public boolean contains(String name) {
        return names.contains(name)
                || (isCredential(name) && isCredential(DELIVERY_ID.matcher(name).replaceAll("")));
    }

    private static boolean isCredential(String name) {
        return CREDENTIAL.matcher(name).find();
    }

    /** Whether the header {@code name}, in any case, holds a signature, or GitLab's secret in place of one. */
    public static boolean isSignature(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.equals("x-gitlab-token") || SIGNATURE.matcher(lower).matches();
    }
}
