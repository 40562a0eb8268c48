package dev.postern.acceptance;

import org.jspecify.annotations.Nullable;

/**
 * An update that moves a source's cursor past something that was read. It succeeds only while {@code reader} reads the
 * source and the cursor is at {@code from}.
 *
 * @param source the name of the source
 * @param reader the cluster node that reads it
 * @param from the cursor before the update; null where nothing was read yet
 * @param to the cursor after the update
 */
public record CursorUpdate(String source, String reader, @Nullable String from, String to) {}
