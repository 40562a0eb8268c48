/**
 * Turns one mail into the payload that the mapping {@code gmail} reads.
 *
 * <p>In: a Jakarta Mail message from an IMAP server or a file, and the server's metadata of it. Out: JSON, an id and an
 * idempotency key. Called by: mail. Imports: nothing of Postern but model.
 *
 * <p>A mail is untrusted content in a format that its sender controls. So only its structure, its headers and the one text
 * that is shown are fetched. Each of these has a limit. A part that can't be read is left out instead of failing the mail.
 */
@NullMarked
package dev.postern.mail.message;

import org.jspecify.annotations.NullMarked;
