/**
 * A second door beside http: a mailbox's new mail becomes the payload of a mapped hook, once.
 *
 * <p>In: a mailbox. Out: payloads for ingress. Called by: app. Imports: model, ingress, and
 * acceptance for the bookmark alone.
 */
@NullMarked
package dev.postern.mail;

import org.jspecify.annotations.NullMarked;
