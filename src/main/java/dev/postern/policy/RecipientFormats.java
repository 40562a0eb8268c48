package dev.postern.policy;

import org.jspecify.annotations.Nullable;

/** The formats of recipients, by channel. */
@FunctionalInterface
public interface RecipientFormats {

    /**
     * The reason why {@code to} can't be a recipient on {@code channel}. It is a sentence that begins with the word
     * {@code to} and does not quote the value. Null if the value may be a recipient, or if the format is not known.
     *
     * @param to null for the channel's own recipient, if it has one
     */
    @Nullable
    String formatError(String channel, @Nullable String to);
}
