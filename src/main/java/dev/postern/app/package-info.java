/**
 * The composition root: makes every room top to bottom, and closes them in reverse; the listener; the launcher of
 * {@code java -jar}.
 *
 * <p>In: settings. Out: a running Postern. Called by: the container and the command line. Imports: every room.
 */
@NullMarked
package dev.postern.app;

import org.jspecify.annotations.NullMarked;
