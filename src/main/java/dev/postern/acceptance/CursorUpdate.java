package dev.postern.acceptance;

import org.jspecify.annotations.Nullable;

/**
 * A bookmark's move to the place behind something that was read. It happens while {@code reader} reads the source and the
 * bookmark is at {@code from}, else not.
 *
 * @param source what is read
 * @param reader the node that reads it
 * @param from null where nothing was read yet
 */
public record CursorUpdate(String source, String reader, @Nullable String from, String to) {}
