package dev.postern.mail;

/**
 * The reason why a mail that was handled was not marked or moved as {@code hooks.gmail.afterwards} says.
 *
 * @param words a few for the operator that strangers may see too
 * @param sentence with the folder's name and what the server said, for the log; no secret
 */
record MarkFailure(String words, String sentence) {}
