package dev.postern.access;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A rule that tells which requests are local: sent by a program of this machine to this machine. Three conditions must
 * hold. The sender has a loopback address. No proxy has forwarded the request: a proxy on this machine has a loopback
 * address too, and serves the world. The request names {@code localhost}, a loopback address, or the address at which
 * it came in as its host. A remote page can make its own name resolve to this machine, and a browser then takes the two
 * for one site.
 *
 * <p>A proxy that adds no header of its own, and names this machine as the host, can't be told from a local program.
 */
public final class LocalRequestRule {

    private static final Set<String> FORWARDING = Set.of("forwarded", "via", "x-real-ip");
    private static final String FORWARDING_PREFIX = "x-forwarded";

    /** The attribute that Tomcat's RemoteIpValve sets. The valve may have removed the header that it has read. */
    private static final String FORWARDED = "org.apache.tomcat.request.forwarded";

    /** The form of a host (RFC 9110, section 7.2): a name or an address, IPv6 in brackets, and an optional port. */
    private static final Pattern HOST = Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([^\\[\\]:]+))(?::[0-9]*)?");

    private static final Pattern LOOPBACK_V6 = Pattern.compile("\\[?(?:::1|0:0:0:0:0:0:0:1)]?");

    private LocalRequestRule() {}

    /** Whether {@code request} is local. */
    public static boolean covers(HttpServletRequest request) {
        return isLoopback(String.valueOf(request.getRemoteAddr()))
                && !isForwarded(request)
                && asksForThisMachine(request);
    }

    private static boolean isForwarded(HttpServletRequest request) {
        if (request.getAttribute(FORWARDED) != null) {
            return true;
        }
        for (String name : Collections.list(request.getHeaderNames())) {
            String lower = name.toLowerCase(Locale.ROOT);
            if (FORWARDING.contains(lower) || lower.startsWith(FORWARDING_PREFIX)) {
                return true;
            }
        }
        return false;
    }

    private static boolean asksForThisMachine(HttpServletRequest request) {
        List<String> hosts = Collections.list(request.getHeaders("Host"));
        if (hosts.isEmpty() && !request.getProtocol().startsWith("HTTP/1.")) {
            return isThisMachine(request.getServerName(), request); // HTTP/2 and later do not need the header
        }
        return hosts.size() == 1 && isThisMachine(hosts.get(0), request);
    }

    private static boolean isThisMachine(String host, HttpServletRequest request) {
        Matcher parts = HOST.matcher(host);
        if (!parts.matches()) {
            return false;
        }
        @Nullable String v6 = parts.group(1);
        String name = v6 == null ? parts.group(2) : v6;
        return name.equalsIgnoreCase("localhost") || isLoopback(name) || name.equalsIgnoreCase(request.getLocalAddr());
    }

    /**
     * Whether {@code address} is a loopback address; some servers put an IPv6 address in brackets. A name is never one,
     * whatever it begins with.
     *
     * @param address as the container gives it, or as a Host header names it
     */
    private static boolean isLoopback(String address) {
        return ClientKey.isLoopback(ClientKey.of(address))
                || LOOPBACK_V6.matcher(address).matches();
    }
}
