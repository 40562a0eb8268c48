package dev.postern.access;

import dev.postern.model.SignedContent;
import org.jspecify.annotations.Nullable;

/** One way in which senders sign. Whatever is malformed is no signature; nothing is thrown for it. */
interface SignatureScheme {

    /** Whether the headers that it needs are there, once each and at most 8 KiB long. */
    boolean isPresent(HeaderLookup headerLookup);

    /** What the headers hold a signature over, by a secret in force and near enough in time; null where they hold none. */
    @Nullable
    SignedContent verified(HeaderLookup headerLookup, byte[] body);
}
