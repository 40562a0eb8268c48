package dev.postern.mail.message;

/**
 * A part that is named and not opened.
 *
 * @param size in bytes when decoded, about; -1 where nobody knows
 */
record Attachment(String name, String type, long size) {}
