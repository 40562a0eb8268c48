package dev.postern.config;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Request headers that open a door, here or elsewhere: no template, no script and no match gets to see them. */
final class CredentialHeaders {

    /** Lower case: where credentials stand by custom, and where the schemes of {@code verify} have their signatures. */
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
     * All of them, lower case.
     *
     * @param tokenHeaders the headers that may carry the token
     * @param mappings each withholds the header of its own signature
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
