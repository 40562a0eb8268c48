package dev.postern.policy;

import org.jspecify.annotations.Nullable;

/** Knows how each channel's recipients are written. */
@FunctionalInterface
public interface RecipientFormats {

    /**
     * Why {@code to} can be no recipient on {@code channel}: a sentence that begins with {@code to} and does not repeat it;
     * null where it may be one, and where nobody knows.
     */
    @Nullable
    String refusal(String channel, String to);
}
