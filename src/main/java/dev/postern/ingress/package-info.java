/**
 * The only path to the database for HTTP requests and mails: mapped, checked by policy, accepted.
 *
 * <p>In: an admitted request. Out: its result. Called by: http, mail, console. Imports: model, mapping, policy,
 * acceptance.
 */
@NullMarked
package dev.postern.ingress;

import org.jspecify.annotations.NullMarked;
