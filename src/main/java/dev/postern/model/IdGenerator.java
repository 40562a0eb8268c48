package dev.postern.model;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A generator of all ids: 48 bits of milliseconds and 80 random bits in Crockford's base 32, in the layout of ULID
 * (github.com/ulid/spec). Rows of one moment are adjacent in an index. Nobody can guess the next id, except that of a
 * request. Ids of different nodes must not be compared for order. Safe for use by many threads.
 */
public final class IdGenerator {

    /** The beginning of the id of a delivery. */
    public static final String DELIVERY = "dlv_";

    private static final char[] DIGITS = "0123456789abcdefghjkmnpqrstvwxyz".toCharArray();
    private static final int RANDOM_BYTES = 10;
    private static final int TIME_DIGITS = 10;

    private final InstantSource clock;
    private final SecureRandom random;

    public IdGenerator(InstantSource clock) {
        this.clock = clock;
        this.random = new SecureRandom();
    }

    public RunId run() {
        return new RunId("run_" + next());
    }

    public EventId event() {
        return new EventId("evt_" + next());
    }

    /** The id of a delivery. */
    public String delivery() {
        return DELIVERY + next();
    }

    /** The id of an admitted request. It is no secret, so its random bits come from a generator that is fast. */
    public String request() {
        byte[] bytes = new byte[RANDOM_BYTES];
        ThreadLocalRandom.current().nextBytes(bytes);
        return "req_" + ulid(bytes);
    }

    /**
     * A lower bound of all ids that are made at {@code moment} or later.
     *
     * @param prefix the ids' characters before the underscore
     */
    public static String lowest(String prefix, Instant moment) {
        char[] time = new char[TIME_DIGITS];
        writeTime(time, Math.max(0, moment.toEpochMilli()));
        return prefix + "_" + new String(time);
    }

    /**
     * The moment at which an id was made, in milliseconds; no id is below the lowest one of its moment.
     *
     * @param id the prefix, an underscore and the 26 characters, as this generator makes them
     */
    public static Instant moment(String id) {
        int start = id.indexOf('_') + 1;
        long millis = 0;
        for (int i = start; i < start + TIME_DIGITS; i++) {
            millis = millis << 5 | Arrays.binarySearch(DIGITS, id.charAt(i));
        }
        return Instant.ofEpochMilli(millis);
    }

    /** An internal id, for something without a public name: {@code prefix}, an underscore, 26 characters. */
    public String of(String prefix) {
        return prefix + "_" + next();
    }

    /** A UUID of version 7 (RFC 9562, section 5.7). UUIDs of one moment are adjacent in an index, as the other ids are. */
    public UUID uuid() {
        long random = this.random.nextLong();
        long high = (clock.millis() << 16) | 0x7000L | (random >>> 52);
        long low = (this.random.nextLong() >>> 2) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    private String next() {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return ulid(bytes);
    }

    private String ulid(byte[] bytes) {
        char[] id = new char[26];
        writeTime(id, clock.millis());
        int buffer = 0;
        int bits = 0;
        int at = TIME_DIGITS;
        for (byte b : bytes) {
            buffer = (buffer << 8) | (b & 0xff);
            bits += 8;
            while (bits >= 5) {
                bits -= 5;
                id[at++] = DIGITS[(buffer >>> bits) & 31];
            }
        }
        return new String(id);
    }

    private static void writeTime(char[] id, long millis) {
        long left = millis;
        for (int i = TIME_DIGITS - 1; i >= 0; i--) {
            id[i] = DIGITS[(int) (left & 31)];
            left >>>= 5;
        }
    }
}
