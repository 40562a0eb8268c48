/**
 * Authentication of requests: tokens, signatures, passwords and the failure throttle.
 *
 * <p>In: the credentials of a raw request. Out: an {@code AuthenticationResult}. Called by: http, console. Imports:
 * model, config's records.
 */
@NullMarked
package dev.postern.access;

import org.jspecify.annotations.NullMarked;
