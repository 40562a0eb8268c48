/**
 * Decides who may pass: tokens, signatures, passwords and the failure throttle.
 *
 * <p>In: the credentials of a raw request. Out: {@code Admitted}, {@code Refused} or {@code Throttled}. Called by:
 * http, console. Imports: model, config's records.
 */
@NullMarked
package dev.postern.access;

import org.jspecify.annotations.NullMarked;
