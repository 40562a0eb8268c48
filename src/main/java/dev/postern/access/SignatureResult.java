package dev.postern.access;

import dev.postern.model.SignedContent;
import java.util.Optional;

/** The result of checking the signature of one request. */
public sealed interface SignatureResult {

    /** The content that a valid signature covers; empty for any other. */
    default Optional<SignedContent> content() {
        return this instanceof Valid valid ? Optional.of(valid.signed()) : Optional.empty();
    }

    /** The signature is valid. */
    record Valid(SignedContent signed) implements SignatureResult {}

    /**
     * The signature can't be judged before something is fetched. The sender may try again.
     *
     * @param detail a sentence for operators
     * @param fetch begins to fetch it
     */
    record Undecided(String detail, Runnable fetch) implements SignatureResult {}

    /**
     * The signature is valid, and what the request asks of Postern is not done yet. The sender may try again.
     *
     * @param detail a sentence for operators
     */
    record Unconfirmed(String detail) implements SignatureResult {}

    /**
     * The signature authenticates nothing.
     *
     * @param detail a sentence for operators, without any part of a secret, a signature or a body
     */
    record Invalid(SignatureError error, String detail) implements SignatureResult {

        static Invalid missing(String headers) {
            return new Invalid(
                    SignatureError.MISSING, "A header is missing, was sent twice, or is too long: " + headers + ".");
        }

        static Invalid malformed(String detail) {
            return new Invalid(SignatureError.MALFORMED, detail);
        }
    }
}
