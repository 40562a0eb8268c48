package dev.postern.channel.vendor;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A rule that recognises addresses that are not public: this machine, private networks, multicast groups, cloud metadata
 * services, and addresses reserved for documentation (IANA's special-purpose registries, RFC 6890). An IPv6 address that
 * contains an IPv4 address is checked as that.
 */
final class PrivateAddressRule {

    private PrivateAddressRule() {}

    private static final List<Range> PRIVATE = Stream.of(
                    "0.0.0.0/8",
                    "10.0.0.0/8",
                    "100.64.0.0/10",
                    "127.0.0.0/8",
                    // Azure's own service for its virtual machines.
                    "168.63.129.16/32",
                    "169.254.0.0/16",
                    "172.16.0.0/12",
                    "192.0.0.0/24",
                    "192.0.2.0/24",
                    "192.168.0.0/16",
                    "198.18.0.0/15",
                    "198.51.100.0/24",
                    "203.0.113.0/24",
                    "224.0.0.0/3",
                    "64:ff9b:1::/48",
                    "100::/64",
                    "2001::/23",
                    "2001:db8::/32",
                    "3fff::/20",
                    "5f00::/16",
                    "fc00::/7",
                    "fe80::/10",
                    "fec0::/10",
                    "ff00::/8")
            .map(Range::of)
            .toList();

    /** Ranges of IPv6 that contain an IPv4 address, and its first byte: mapped, compatible, NAT64 and 6to4. */
    private static final List<Holder> HOLDERS = List.of(
            new Holder(new Range(16, 96, BigInteger.valueOf(0xFFFF)), 12),
            new Holder(Range.of("::/96"), 12),
            new Holder(Range.of("64:ff9b::/96"), 12),
            new Holder(Range.of("2002::/16"), 2));

    private record Holder(Range range, int from) {}

    /** A range of addresses of {@code bytes} bytes whose first {@code bits} bits are {@code prefix}. */
    private record Range(int bytes, int bits, BigInteger prefix) {

        static Range of(String text) {
            String[] halves = text.split("/", 2);
            int bits = Integer.parseInt(halves[1]);
            try {
                byte[] base = InetAddress.getByName(halves[0]).getAddress();
                return new Range(base.length, bits, first(bits, base));
            } catch (UnknownHostException e) {
                throw new IllegalArgumentException("no address: " + text, e);
            }
        }

        boolean holds(byte[] address) {
            return address.length == bytes && first(bits, address).equals(prefix);
        }

        private static BigInteger first(int bits, byte[] address) {
            return new BigInteger(1, address).shiftRight(address.length * 8 - bits);
        }
    }

    /** Whether {@code address} is private. */
    static boolean isPrivate(InetAddress address) {
        return isPrivate(address.getAddress());
    }

    private static boolean isPrivate(byte[] address) {
        return HOLDERS.stream()
                .filter(holder -> holder.range().holds(address))
                .findFirst()
                .map(holder -> isPrivate(Arrays.copyOfRange(address, holder.from(), holder.from() + 4)))
                .orElseGet(() -> PRIVATE.stream().anyMatch(range -> range.holds(address)));
    }
}
