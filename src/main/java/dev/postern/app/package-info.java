/**
 * The composition root, which makes the services of all packages and closes them in reverse; the listener that starts it with
 * the web application; and the commands of {@code java -jar}.
 *
 * <p>In: settings. Out: a running Postern. Called by: the container and the command line. Imports: every package.
 */
@NullMarked
package dev.postern.app;

import org.jspecify.annotations.NullMarked;
