/**
 * Counters, JMX, health and error ids: what an operator sees of a running Postern.
 *
 * <p>In: what happened. Out: figures, MBeans, health. Called by: every room. Imports: model.
 */
@NullMarked
package dev.postern.observe;

import org.jspecify.annotations.NullMarked;
