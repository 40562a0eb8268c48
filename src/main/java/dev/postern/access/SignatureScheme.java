package dev.postern.access;

/** One way in which senders sign. Whatever is malformed is no signature; nothing is thrown for it. */
interface SignatureScheme {

    /** Whether the headers that it needs are there, once each and at most 8 KiB long. */
    boolean isPresent(Headers headers);

    /** Whether the headers hold a signature over the body, by a secret in force and near enough in time. */
    boolean verifies(Headers headers, byte[] body);
}
