package dev.postern.config;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The request headers that carry credentials or signatures, for Postern or another service. No template, script or
 * match sees them.
 */
final class CredentialHeaders {

    /** The usual headers of credentials, and the signature headers of the schemes of {@code verify}; lower case. */
    private static final Set<String> ALWAYS = Set.of(
            "authorization",
            "proxy-authorization",
            "cookie",
            "x-service-token",
            "x-gitlab-token",
            "x-hub-signature",
            "x-hub-signature-256",
            "webhook-signature",
            "svix-signature",
            "stripe-signature",
            "x-slack-signature");

    private CredentialHeaders() {}

    /**
     * All such headers, lower case.
     *
     * @param tokenHeaders the headers that may carry the token
     * @param mappings the mappings, each of which adds the header of its own signature
     */
    static Set<String> of(List<String> tokenHeaders, List<MappingSettings> mappings) {
        Set<String> names = new HashSet<>(ALWAYS);
        names.addAll(tokenHeaders);
        for (MappingSettings mapping : mappings) {
            if (mapping.verify() != null) {
                names.add(mapping.verify().form().header());
            }
        }
        return Set.copyOf(names);
    }
}
