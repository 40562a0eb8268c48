package dev.postern.access;

import dev.postern.model.SignedContent;
import org.jspecify.annotations.Nullable;

/** A scheme by which senders sign requests. A malformed signature counts as none; nothing is thrown for it. */
interface SignatureScheme {

    /** Whether the required headers are present, once each and at most 8 KiB long. */
    boolean isPresent(HeaderLookup headerLookup);

    /** The content that the headers sign with a valid secret, near enough in time; null if they sign none. */
    @Nullable
    SignedContent verified(HeaderLookup headerLookup, byte[] body);
}
