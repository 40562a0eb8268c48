/**
 * The home directory, its files, JNDI and the environment become one immutable {@code Settings}.
 *
 * <p>In: where to look. Out: the settings, or a list of every problem with where it stands and what to write
 * instead. Called by: app. Imports: model.
 */
@NullMarked
package dev.postern.config;

import org.jspecify.annotations.NullMarked;
