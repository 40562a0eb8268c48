package dev.postern.mail.message;

/**
 * A mail as its hook takes it.
 *
 * @param payload JSON in UTF-8: {@code {"source":"gmail","account":…,"messages":[…]}} with this one mail
 * @param id Gmail's id of the mail, else its Message-ID, else what the server calls it
 * @param key 1 to 255 characters that are the same whenever this mail is read, and others for every other mail
 */
@SuppressWarnings("ArrayRecordComponent") // Handed over once, compared by nobody.
public record MailHookPayload(byte[] payload, String id, String key) {}
