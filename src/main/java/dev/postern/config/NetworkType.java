package dev.postern.config;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The type of an IP address or a network in CIDR notation (RFC 4632, RFC 4291 section 2.3). The value is always a
 * network.
 */
record NetworkType() implements ValueType<String> {

    private static final String OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    private static final String V4 = OCTET + "(?:\\." + OCTET + "){3}";
    /** An address with a colon. The JDK looks up no name for such a text, and rejects it if it is no address. */
    private static final String V6 = "[0-9A-Fa-f]*:[0-9A-Fa-f:.]*";

    static final Pattern SPELLING = Pattern.compile("(" + V4 + "|" + V6 + ")(?:/(0|[1-9][0-9]{0,2}))?");

    @Override
    public String expected() {
        return "an address such as 127.0.0.1 or ::1, or a network such as 10.0.0.0/8 or fd00::/8";
    }

    @Override
    public Parsed<String> parse(ConfigurationNode node, SecretReferences references) {
        Optional<String> text = ValueType.textOf(node);
        if (text.isEmpty()) {
            return mismatch(node);
        }
        Matcher parts = SPELLING.matcher(text.get());
        if (!parts.matches()) {
            return reject(text.get());
        }
        try {
            return network(text.get(), InetAddress.getByName(parts.group(1)), parts);
        } catch (UnknownHostException noAddress) {
            return reject(text.get());
        }
    }

    private Parsed<String> network(String text, InetAddress address, Matcher parts) {
        if (address instanceof Inet4Address && parts.group(1).indexOf(':') >= 0) {
            return new Invalid<>(
                    "is [" + text + "]", "write " + address.getHostAddress() + ", which is that address in IPv4");
        }
        byte[] bytes = address.getAddress();
        int bits = bytes.length * Byte.SIZE;
        int prefix = parts.group(2) == null ? bits : Integer.parseInt(parts.group(2));
        if (prefix > bits) {
            return reject(text);
        }
        if (prefix == 0) {
            return new Invalid<>(
                    "is [" + text + "], which is everybody, so that anybody could say whom to be",
                    "write " + expected());
        }
        for (int bit = prefix; bit < bits; bit++) {
            if ((bytes[bit / Byte.SIZE] >> (Byte.SIZE - 1 - bit % Byte.SIZE) & 1) != 0) {
                return new Invalid<>(
                        "is [" + text + "], an address and not the beginning of a network",
                        "write " + parts.group(1) + " for that one address, or the network's first address before /"
                                + prefix);
            }
        }
        return new Valid<>(address.getHostAddress() + "/" + prefix);
    }
}
