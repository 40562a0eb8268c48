package dev.postern.access;

import java.util.regex.Pattern;

/** Tells requests from this machine. */
public final class Loopback {

    private static final Pattern V6 = Pattern.compile("\\[?(?:::1|0:0:0:0:0:0:0:1)]?");

    private Loopback() {}

    /**
     * Whether {@code address} is one of this machine's to itself; some servers put an IPv6 address in brackets.
     *
     * @param address as the container has it
     */
    public static boolean is(String address) {
        return address.startsWith("127.") || V6.matcher(address).matches();
    }
}
