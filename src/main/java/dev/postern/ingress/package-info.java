/**
 * The one path that every door uses: mapped, judged, accepted.
 *
 * <p>In: an admitted payload. Out: what became of it. Called by: http, mail, console. Imports: model, mapping,
 * policy, acceptance.
 */
@NullMarked
package dev.postern.ingress;

import org.jspecify.annotations.NullMarked;
