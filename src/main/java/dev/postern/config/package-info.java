/**
 * The configuration: one immutable {@code Settings} from the home directory, its files, JNDI and the environment.
 *
 * <p>In: the environment of the process. Out: the settings, or a list of every problem with its origin and what to
 * write instead. Called by: app. Imports: model.
 */
@NullMarked
package dev.postern.config;

import org.jspecify.annotations.NullMarked;
