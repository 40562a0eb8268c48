package dev.postern.model;

/**
 * The origin of a text, for the boundary that is put around the text before a model reads it.
 *
 * @param hook the hook's path below the hook prefix, such as {@code wake} or {@code github/push}
 * @param trusted true only if an operator's mapping says {@code allowUnsafeExternalContent}; no request can ask for it
 */
public record Provenance(String hook, boolean trusted) {

    /** The origin of untrusted content that arrived at {@code hook}. */
    public static Provenance untrusted(String hook) {
        return new Provenance(hook, false);
    }
}
