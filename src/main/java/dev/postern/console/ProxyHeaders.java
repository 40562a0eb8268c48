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
 * Tells where a request comes from, as the server has it, and what a proxy has said of that which the server did not go by: so a
 * proxy is noticed that the server should be told of. Anybody may send such a header; whether it is true, nobody here knows.
 */
final class ProxyHeaders {

    private static final int LONGEST = 200;

    /** The node identifier of RFC 7239, section 6. */
    private static final Pattern FOR = Pattern.compile("(?i)\\bfor=(\"[^\"]*\"|[^;,\\s]*)");

    /** Tomcat sets it where a valve of its own has gone by the headers, some of which it leaves as they are. */
    private static final String TOMCAT = "org.apache.tomcat.request.forwarded";

    private ProxyHeaders() {}

    /**
     * Where a request comes from.
     *
     * @param address the client's
     * @param unused headers of a proxy that the server did not go by
     */
    record Seen(String address, String scheme, String host, List<Header> unused) {}

    /** A header as it was sent. */
    record Header(String name, String value) {}

    /** Where {@code request} comes from. */
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
