/**
 * One mail as the payload that the mapping {@code gmail} reads.
 *
 * <p>In: a Jakarta Mail message, of an IMAP server or of a file, and what the server says of it. Out: JSON, its id and the
 * key it is recognised by. Called by: mail. Imports: nothing of Postern but the open rooms.
 *
 * <p>A mail is a stranger's text in a stranger's format. So nothing of it is fetched but its structure, its headers and the
 * one text that is shown; each of these has a bound, and whatever can't be read is left out instead of failing the mail.
 */
@NullMarked
package dev.postern.mail.message;

import org.jspecify.annotations.NullMarked;
