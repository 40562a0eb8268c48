/**
 * A second entry point beside http: each new mail of a mailbox becomes the payload of a mapped hook, once.
 *
 * <p>In: a mailbox. Out: payloads for ingress. Called by: app. Imports: model, ingress, and
 * acceptance for the cursor alone.
 */
@NullMarked
package dev.postern.mail;

import org.jspecify.annotations.NullMarked;
