package dev.postern.mail.message;

/**
 * The hook payload of one mail.
 *
 * @param payload JSON in UTF-8: {@code {"source":"gmail","account":…,"messages":[…]}} with this one mail
 * @param id Gmail's id of the mail, else its Message-ID, else the server's UID
 * @param key idempotency key of 1 to 255 characters: the same each time this mail is read whole, different for every other
 *     mail
 * @param textRefused whether the text is missing because the server did not give it, so that another attempt may get it
 */
@SuppressWarnings("ArrayRecordComponent") // Handed over once and never compared.
public record MailHookPayload(byte[] payload, String id, String key, boolean textRefused) {}
