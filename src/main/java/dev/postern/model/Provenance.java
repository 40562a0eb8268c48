package dev.postern.model;

/**
 * Where a text came from, for the boundary that is put around it before a model reads it.
 *
 * @param hook the hook's path below the hook prefix, such as {@code wake} or {@code github/push}
 * @param trusted true only where an operator's mapping says {@code allowUnsafeExternalContent}; no request can ask
 *     for it
 */
public record Provenance(String hook, boolean trusted) {

    /** A stranger's text that arrived at {@code hook}. */
    public static Provenance untrusted(String hook) {
        return new Provenance(hook, false);
    }
}
