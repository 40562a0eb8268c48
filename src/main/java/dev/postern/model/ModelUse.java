package dev.postern.model;

/**
 * A model's share in a turn.
 *
 * @param model {@code <provider>/<model>}
 * @param inputTokens the provider's count; 0 if nothing was counted
 * @param outputTokens likewise
 * @param decisive true for the one model whose result is that of the turn
 */
public record ModelUse(String model, long inputTokens, long outputTokens, boolean decisive) {

    /** Whether the provider has counted a token. */
    public boolean hasTokens() {
        return inputTokens + outputTokens > 0;
    }
}
