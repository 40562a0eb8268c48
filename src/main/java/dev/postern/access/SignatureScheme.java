package dev.postern.access;

/** A scheme by which senders sign requests. A malformed signature counts as none; nothing is thrown for it. */
interface SignatureScheme {

    /** The names of the required headers, in words. */
    String headers();

    /** Whether the required headers are present, once each and at most 8 KiB long. */
    boolean isPresent(HeaderLookup headerLookup);

    /** Whether the headers sign {@code body} with a valid secret, near enough in time. */
    SignatureResult verify(HeaderLookup headerLookup, byte[] body);
}
