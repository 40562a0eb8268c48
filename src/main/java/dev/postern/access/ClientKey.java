package dev.postern.access;

import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A 64-bit key of the client that a failure is counted for: an IPv4 address, or the /64 of an IPv6 address. A
 * subscriber gets at least a /64 (RFC 6177). An IPv4-mapped address counts as the IPv4 one; a scope ({@code %eth0}) and
 * brackets are ignored. All strings that are not numeric addresses, names included, count as one and the same client.
 * Nothing is ever looked up.
 *
 * <p>No two clients share a key. The keys of IPv4 addresses and of unreadable ones begin with prefixes from
 * {@code ffff::/16}, which is multicast and never a client's address (RFC 4291 section 2.7).
 */
public final class ClientKey {

    /** The key of every client whose address can't be read. */
    static final long UNKNOWN = 0xffff_fffe_0000_0000L;

    private static final long IPV4 = 0xffff_ffff_0000_0000L;
    private static final long LOOPBACK = 127;
    private static final String UNKNOWN_TEXT = "unknown";
    private static final String PREFIX_LENGTH = "/64";
    private static final int GROUPS = 8;
    private static final int INVALID = -1;

    private ClientKey() {}

    /** The key of the client at {@code address}, which is spelled as in a container's {@code getRemoteAddr}. */
    static long of(@Nullable String address) {
        if (address == null) {
            return UNKNOWN;
        }
        int start = 0;
        int end = address.length();
        if (address.startsWith("[") && address.endsWith("]")) {
            start++;
            end--;
        }
        if (address.indexOf(':') < 0) {
            long ipv4 = ipv4(address, start, end);
            return ipv4 == INVALID ? UNKNOWN : IPV4 | ipv4;
        }
        int scope = address.indexOf('%');
        return ipv6(address, start, scope < 0 ? end : scope);
    }

    /** Whether two addresses are numeric and count as one client. */
    public static boolean isOne(String address, String other) {
        long client = of(address);
        return client != UNKNOWN && client == of(other);
    }

    /** Whether {@code client} is an IPv4 loopback address (RFC 1122, section 3.2.1.3). */
    static boolean isLoopback(long client) {
        return (client >>> 24) == (IPV4 >>> 24 | LOOPBACK);
    }

    /**
     * The key of the client that {@code text} names: an address or a result of {@link #text}. Empty if it is neither.
     */
    static OptionalLong read(String text) {
        if (text.equals(UNKNOWN_TEXT)) {
            return OptionalLong.of(UNKNOWN);
        }
        long client =
                of(text.endsWith(PREFIX_LENGTH) ? text.substring(0, text.length() - PREFIX_LENGTH.length()) : text);
        return client == UNKNOWN ? OptionalLong.empty() : OptionalLong.of(client);
    }

    /** The readable form of {@code client}: an IPv4 address, a /64, or {@code unknown}. */
    static String text(long client) {
        if (client == UNKNOWN) {
            return UNKNOWN_TEXT;
        }
        if ((client & IPV4) == IPV4) {
            return String.format(
                    Locale.ROOT,
                    "%d.%d.%d.%d",
                    client >>> 24 & 0xff,
                    client >>> 16 & 0xff,
                    client >>> 8 & 0xff,
                    client & 0xff);
        }
        return String.format(
                        Locale.ROOT,
                        "%x:%x:%x:%x::",
                        client >>> 48,
                        client >>> 32 & 0xffff,
                        client >>> 16 & 0xffff,
                        client & 0xffff)
                + PREFIX_LENGTH;
    }

    private static long ipv4(String text, int start, int end) {
        long value = 0;
        int at = start;
        for (int part = 1; part <= 4; part++) {
            int stop = part < 4 ? text.indexOf('.', at) : end;
            int number = stop < 0 || stop > end ? INVALID : number(text, at, stop, 10, 3);
            if (number < 0 || number > 255) {
                return INVALID;
            }
            value = value << 8 | number;
            at = stop + 1;
        }
        return value;
    }

    private static long ipv6(String text, int start, int end) {
        int[] groups = new int[GROUPS];
        int gap = text.indexOf("::", start);
        if (gap < 0 || gap >= end) {
            return groups(text, start, end, true, groups) == GROUPS ? key(groups) : UNKNOWN;
        }
        int[] tail = new int[GROUPS];
        int before = groups(text, start, gap, false, groups);
        int after = groups(text, gap + 2, end, true, tail);
        if (before == INVALID || after == INVALID || before + after >= GROUPS) {
            return UNKNOWN;
        }
        System.arraycopy(tail, 0, groups, GROUPS - after, after);
        return key(groups);
    }

    /**
     * Reads groups between colons into {@code groups} and returns their number, or {@link #INVALID}.
     *
     * @param mayEndInIpv4 whether the last two groups may be spelled as an IPv4 address
     */
    private static int groups(String text, int start, int end, boolean mayEndInIpv4, int[] groups) {
        int count = 0;
        int at = start;
        while (at <= end && end > start) {
            int colon = text.indexOf(':', at);
            int stop = colon < 0 || colon > end ? end : colon;
            long ipv4 = mayEndInIpv4 && stop == end && count <= GROUPS - 2 ? ipv4(text, at, end) : INVALID;
            int group = ipv4 == INVALID ? number(text, at, stop, 16, 4) : (int) (ipv4 >>> 16);
            if (group == INVALID || count == GROUPS) {
                return INVALID;
            }
            groups[count++] = group;
            if (ipv4 != INVALID) {
                groups[count++] = (int) (ipv4 & 0xffff);
            }
            at = stop + 1;
        }
        return count;
    }

    private static long key(int[] groups) {
        long prefix = (long) groups[0] << 48 | (long) groups[1] << 32 | (long) groups[2] << 16 | groups[3];
        boolean mapped = prefix == 0 && groups[4] == 0 && groups[5] == 0xffff;
        return mapped ? IPV4 | (long) groups[6] << 16 | groups[7] : prefix;
    }

    /** The number that {@code text} spells from {@code start} to {@code end}, or {@link #INVALID}. */
    private static int number(String text, int start, int end, int radix, int maxDigits) {
        if (end <= start || end - start > maxDigits) {
            return INVALID;
        }
        int value = 0;
        for (int i = start; i < end; i++) {
            char c = text.charAt(i);
            int digit = c < 0x80 ? Character.digit(c, radix) : INVALID;
            if (digit < 0) {
                return INVALID;
            }
            value = value * radix + digit;
        }
        return value;
    }
}
