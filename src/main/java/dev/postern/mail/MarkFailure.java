package dev.postern.mail;

/**
 * The reason why a mail that was handled was not marked or moved as {@code hooks.gmail.afterwards} says.
 *
 * @param words a few words for the operator that may also be shown in public
 * @param sentence the folder's name and the server's text, for the log; without secrets
 */
record MarkFailure(String words, String sentence) {}
