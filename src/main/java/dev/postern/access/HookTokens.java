package dev.postern.access;

import dev.postern.config.SenderSettings;
import dev.postern.model.Secret;
import dev.postern.model.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The valid hook tokens. A presented token is hashed (SHA-256). Among the hashes of the tokens, which are in order, the one
 * that can be equal is found in a number of steps that depends on nothing but how many there are; both hashes are compared in
 * constant time. So the time taken reveals neither whether a token is known, nor whose it is, nor how much of it is right.
 */
final class HookTokens {

    /** A hash that no token has: that of a text which no header can hold. */
    private static final byte[] DECOY = Sha256.of("\n");

    /**
     * A valid token.
     *
     * @param sender the sender whose own token it is; null for a token that opens every hook
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by MessageDigest alone
    record Entry(byte[] digest, @Nullable SenderSettings sender) {

        /** The beginning of the hash, which is different for each token. */
        long prefix() {
            return ByteBuffer.wrap(digest).getLong();
        }
    }

    private final List<Entry> entries;
    private final long[] prefixes;
    private final BiPredicate<byte[], byte[]> equality;

    HookTokens(List<Secret> tokens) {
        this(tokens, List.of(), MessageDigest::isEqual);
    }

    /**
     * @param tokens the tokens that open every hook
     * @param senders the senders with tokens of their own
     * @param equality compares two hashes in constant time
     */
    HookTokens(List<Secret> tokens, Collection<SenderSettings> senders, BiPredicate<byte[], byte[]> equality) {
        List<Entry> all = new ArrayList<>();
        tokens.forEach(token -> all.add(new Entry(Sha256.of(token.bytes()), null)));
        for (SenderSettings sender : senders) {
            sender.tokenHashes()
                    .forEach(hash -> all.add(new Entry(HexFormat.of().parseHex(hash), sender)));
        }
        all.sort(Comparator.comparingLong(Entry::prefix));
        this.entries = List.copyOf(all);
        this.prefixes = all.stream().mapToLong(Entry::prefix).toArray();
        this.equality = equality;
    }

    /** Whether {@code presented} is one of the tokens, as for {@link #find}. */
    boolean contains(String presented) {
        return find(presented) != null;
    }

    /**
     * The token that {@code presented} is; null if it is none. A token that isn't ASCII is compared as its UTF-8 bytes.
     *
     * @param presented the bytes received, one character per byte; empty is never a token
     */
    @Nullable
    Entry find(String presented) {
        if (presented.isEmpty() || !isBytes(presented)) {
            return null;
        }
        byte[] received = Sha256.of(presented.getBytes(StandardCharsets.ISO_8859_1));
        int place = place(ByteBuffer.wrap(received).getLong());
        @Nullable Entry candidate = place < 0 ? null : entries.get(place);
        return equality.test(candidate == null ? DECOY : candidate.digest(), received) ? candidate : null;
    }

    /** The place of the last token whose hash does not begin with more than {@code prefix}; -1 if there is none. */
    private int place(long prefix) {
        int below = -1;
        for (int step = Integer.highestOneBit(Math.max(1, prefixes.length)); step > 0; step >>= 1) {
            int next = below + step;
            below = next < prefixes.length && prefixes[next] <= prefix ? next : below;
        }
        return below;
    }

    /**
     * Whether all characters are bytes. Encoding would turn any other character into a question mark, which a token may
     * contain.
     */
    private static boolean isBytes(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) > 0xff) {
                return false;
            }
        }
        return true;
    }
}
