package dev.postern.access;

/** A scheme by which senders sign requests. A malformed signature counts as none; nothing is thrown for it. */
interface SignatureScheme {

    /** The names of the required headers, in words; a single one is its name alone. */
    String headers();

    /** Whether the required headers are present, once each and at most 8 KiB long; unless overridden, a single one. */
    default boolean isPresent(HeaderLookup headerLookup) {
        return SingleHeaderReader.singleValue(headerLookup, headers()) != null;
    }

    /** Whether the headers sign {@code body} with a valid secret, near enough in time. */
    SignatureResult verify(HeaderLookup headerLookup, byte[] body);
}
