package dev.postern.acceptance;

import java.time.Instant;

/**
 * A wait of a run for a provider, or the tool server of an approved call, that is down.
 *
 * @param until the time of the next try
 * @param since the time of the first failed try
 * @param reason a sentence for the sender, without payload or secret
 */
public record ProviderWait(Instant until, Instant since, String reason) {}
