package dev.postern.access;

import java.util.regex.Pattern;

/** The addresses that a machine has to itself. */
final class Loopback {

    private static final Pattern V6 = Pattern.compile("\\[?(?:::1|0:0:0:0:0:0:0:1)]?");

    private Loopback() {}

    /**
     * Whether {@code address} is one of them; some servers put an IPv6 address in brackets. A name is none, whatever it
     * begins with.
     *
     * @param address as the container has it, or as a Host header names it
     */
    static boolean is(String address) {
        return Client.isLoopback(Client.of(address)) || V6.matcher(address).matches();
    }
}
