package dev.postern.ingress;

import dev.postern.acceptance.IdempotencyKey;
import dev.postern.model.BlankText;
import dev.postern.model.Sha256;
import org.jspecify.annotations.Nullable;

/** The rules of idempotency keys: which ones a sender may give, and how the database stores them. */
final class IdempotencyKeyRules {

    /** A separator that neither a sender's key nor a mapping's id contains. */
    private static final char SEPARATOR = '\u001f';

    private IdempotencyKeyRules() {}

    /** Whether {@code given} is a valid key: 1 to 255 characters, not blank, no control character. */
    static boolean isKey(String given) {
        return !BlankText.isBlank(given)
                && given.length() <= IdempotencyKey.MAX_LENGTH
                && given.chars().noneMatch(Character::isISOControl);
    }

    /** The key for a sender's delivery id: the id itself if it is a valid key, otherwise its SHA-256. */
    static String ofDelivery(String id) {
        return isKey(id) ? id : Sha256.name(id, 32);
    }

    /** The character around a sender's id. */
    private static final char SENDER = '\u001e';

    /**
     * The stored form of {@code given}, which is unique among the keys of all spaces. A key that is too long for the
     * database is replaced by its SHA-256.
     *
     * @param sender the id of the sender whose own key it is; null for a key of those that have all rights
     * @param space the key's space, as in {@link dev.postern.mapping.MappingResult.Actions}; empty for a key without
     *     one
     */
    static String stored(@Nullable String sender, String space, String given) {
        return stored(sender == null ? space : SENDER + sender + SENDER + space, given);
    }

    private static String stored(String space, String given) {
        if (space.isEmpty()) {
            return given;
        }
        String name = space + SEPARATOR + given;
        return name.length() <= IdempotencyKey.MAX_LENGTH
                ? name
                : space + SEPARATOR + SEPARATOR + Sha256.name(given, 32);
    }
}
