package dev.postern.mail.message;

/**
 * An attachment of a mail, of which only the name, type and size are reported.
 *
 * @param size approximate decoded size in bytes; -1 if unknown. It is computed from the encoded size, so it may be off by a
 *     byte, or by more if the lines don't have the length that mail programs use
 */
record Attachment(String name, String type, long size) {}
