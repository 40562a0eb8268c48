package dev.postern.ingress;

import dev.postern.acceptance.IdempotencyKey;
import dev.postern.model.BlankText;
import dev.postern.model.Sha256;

/** Idempotency keys: which ones a sender may give, and what they are called in the database. */
final class IdempotencyKeyRules {

    /** No key that is given holds it, nor does a mapping's id. */
    private static final char MARK = '\u001f';

    private IdempotencyKeyRules() {}

    /** Whether {@code given} is a key: 1 to 255 characters, not blank, no control character. */
    static boolean isKey(String given) {
        return !BlankText.isNothing(given)
                && given.length() <= IdempotencyKey.MAX_LENGTH
                && given.chars().noneMatch(Character::isISOControl);
    }

    /** A sender's id of a delivery as a key; its SHA-256 where it can't be one itself. */
    static String ofDelivery(String id) {
        return isKey(id) ? id : Sha256.name(id, 32);
    }

    /**
     * The name of {@code given} among the keys of all spaces; of one that is too long for the database its SHA-256.
     *
     * @param space whose key it is, as {@link dev.postern.mapping.Mapped.Actions} has it
     */
    static String stored(String space, String given) {
        if (space.isEmpty()) {
            return given;
        }
        String name = space + MARK + given;
        return name.length() <= IdempotencyKey.MAX_LENGTH ? name : space + MARK + MARK + Sha256.name(given, 32);
    }
}
