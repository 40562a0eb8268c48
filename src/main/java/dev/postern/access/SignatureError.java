package dev.postern.access;

import java.util.Locale;

/** A reason for which a signature does not authenticate a request. Operators see it; the sender does not. */
public enum SignatureError {

    /** A header of the signature is missing, sent twice, or too long. */
    MISSING,
    /** The signature or its time has not the form that the sender's documentation gives. */
    MALFORMED,
    /** The signed time is too far from now. */
    TIMESTAMP,
    /** The signature was made with another secret, or of another body. */
    DIGEST,
    /** The request is signed, and no secret is set for its hook. */
    NO_SECRET;

    /** The value of the metric's label. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
