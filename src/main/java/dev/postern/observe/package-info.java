/**
 * Metrics, JMX, health and error ids: an operator's view of a running Postern.
 *
 * <p>In: counts, checks and errors. Out: metrics, MBeans, health. Called by: every package. Imports: model.
 */
@NullMarked
package dev.postern.observe;

import org.jspecify.annotations.NullMarked;
