package dev.postern.mail.message;

/**
 * A part that is named and not opened.
 *
 * @param size in bytes when decoded, about: where that is computed from the encoded size, it may differ by a byte, or by more
 *     where the lines have another length than mail programs give them; -1 where nobody knows
 */
record Attachment(String name, String type, long size) {}
