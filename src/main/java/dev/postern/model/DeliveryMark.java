package dev.postern.model;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The mark that a channel leaves in what it writes, so that every Postern recognises the text as a Postern's. It is the
 * delivery's id in the text, or the id of the comment where the service lets the channel choose it.
 *
 * @param deliveryId the id of the delivery; null if the mark does not tell
 */
public record DeliveryMark(@Nullable String deliveryId) {

    private static final String PREFIX = "postern:";

    /** A service that converts markup may put a backslash before the underscore. */
    private static final Pattern IN_TEXT = Pattern.compile(PREFIX + "dlv\\\\?_([0-9a-z]{0,26})");

    private static final Pattern UUID_TEXT =
            Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", Pattern.CASE_INSENSITIVE);

    /** The text of a mark.
     *
     * @param messageId the id of a delivery's part: the delivery's id, a full stop, the part's number
     */
    public static String text(String messageId) {
        return PREFIX + messageId;
    }

    /**
     * The mark as the id of a comment: a UUID of version 4 (RFC 9562). The message's id determines its first half, which
     * determines the second.
     *
     * @param messageId as in {@link #text}
     */
    public static UUID uuid(String messageId) {
        long high = ByteBuffer.wrap(Sha256.of(messageId)).getLong();
        high = (high & 0xFFFF_FFFF_FFFF_0FFFL) | 0x4000L;
        return new UUID(high, low(high));
    }

    private static long low(long high) {
        long hash = ByteBuffer.wrap(Sha256.of(PREFIX + Long.toHexString(high))).getLong();
        return (hash & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
    }

    /**
     * The last mark in {@code text}, which is a comment's text or its id; empty if there is none. Strangers write comments, so the
     * time grows with the text's length alone. (Java's change to lower case takes time quadratic in the number of sigmas.)
     */
    public static Optional<DeliveryMark> in(String text) {
        String id = text.strip();
        if (UUID_TEXT.matcher(id).matches()) {
            UUID uuid = UUID.fromString(id);
            return uuid.getLeastSignificantBits() == low(uuid.getMostSignificantBits())
                    ? Optional.of(new DeliveryMark(null))
                    : Optional.empty();
        }
        return IN_TEXT.matcher(text)
                .results()
                .reduce((first, second) -> second)
                .map(mark -> new DeliveryMark(IdGenerator.DELIVERY + mark.group(1)));
    }
}
