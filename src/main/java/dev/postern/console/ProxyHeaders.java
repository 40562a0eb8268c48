package dev.postern.console;

import dev.postern.access.ClientKey;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A reader of a request's origin, as the server sees it, and of the proxy headers that the server ignored. Such headers may
 * show a proxy that the server should be configured to trust. Anyone can send them, so they may be false.
 */
final class ProxyHeaders {

    private static final int LONGEST = 200;

    /** The node identifier of RFC 7239, section 6. */
    private static final Pattern FOR = Pattern.compile("(?i)\\bfor=(\"[^\"]*\"|[^;,\\s]*)");

    /** The attribute that Tomcat sets when its own valve has used the headers, some of which it leaves in the request. */
    private static final String TOMCAT = "org.apache.tomcat.request.forwarded";

    private ProxyHeaders() {}

    /**
     * The origin of a request.
     *
     * @param address the client's address
     * @param unused the proxy headers that the server ignored
     */
    record Seen(String address, String scheme, String host, List<Header> unused) {}

    /** A header as it was sent. */
    record Header(String name, String value) {}

    /** The origin of {@code request}. */
    static Seen seen(HttpServletRequest request) {
        String address = String.valueOf(request.getRemoteAddr());
        List<Header> unused = new ArrayList<>();
        if (request.getAttribute(TOMCAT) == null) {
            find(request, "X-Forwarded-For", unused, value -> List.of(value.split(",")), address);
            find(request, "Forwarded", unused, ProxyHeaders::nodes, address);
            find(request, "X-Real-IP", unused, List::of, address);
        }
        @Nullable String scheme = value(request, "X-Forwarded-Proto");
        if (scheme != null && !scheme.equalsIgnoreCase(request.getScheme())) {
            unused.add(new Header("X-Forwarded-Proto", scheme));
        }
        return new Seen(address, request.getScheme(), request.getServerName(), unused);
    }

    private interface Addresses {
        List<String> in(String value);
    }

    private static void find(
            HttpServletRequest request, String name, List<Header> unused, Addresses addresses, String client) {
        @Nullable String value = value(request, name);
        if (value != null && addresses.in(value).stream().noneMatch(each -> ClientKey.isOne(host(each), client))) {
            unused.add(new Header(name, value));
        }
    }

    private static @Nullable String value(HttpServletRequest request, String name) {
        List<String> values = Collections.list(request.getHeaders(name));
        String all = String.join(", ", values);
        return values.isEmpty() ? null : all.substring(0, Math.min(all.length(), LONGEST));
    }

    private static List<String> nodes(String value) {
        List<String> nodes = new ArrayList<>();
        Matcher matcher = FOR.matcher(value);
        while (matcher.find()) {
            nodes.add(matcher.group(1));
        }
        return nodes;
    }

    /** The address of {@code node} without quotes, brackets and port. */
    private static String host(String node) {
        String bare = node.replace("\"", "").strip();
        if (bare.startsWith("[")) {
            return bare.substring(1, Math.max(1, bare.indexOf(']')));
        }
        int colon = bare.indexOf(':');
        return colon > 0 && colon == bare.lastIndexOf(':') ? bare.substring(0, colon) : bare;
    }
}
