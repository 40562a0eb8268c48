package dev.postern.model;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.UUID;

/**
 * A generator of all ids: 48 bits of milliseconds and 80 random bits in Crockford's base 32, in the layout of ULID
 * (github.com/ulid/spec). Rows of one moment are adjacent in an index, and nobody can guess the next id. Ids of different
 * nodes must not be compared for order. Safe for use by many threads.
 */
public final class IdGenerator {

    private static final char[] DIGITS = "0123456789abcdefghjkmnpqrstvwxyz".toCharArray();
    private static final int RANDOM_BYTES = 10;

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
        char[] id = new char[26];
        long millis = clock.millis();
        for (int i = 9; i >= 0; i--) {
            id[i] = DIGITS[(int) (millis & 31)];
            millis >>>= 5;
        }
        int buffer = 0;
        int bits = 0;
        int at = 10;
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
}
