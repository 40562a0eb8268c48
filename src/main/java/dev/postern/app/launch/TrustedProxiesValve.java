package dev.postern.app.launch;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.RemoteIpValve;
import org.jspecify.annotations.Nullable;

/**
 * A valve that takes the client's address and the scheme from the headers of trusted proxies. It extends Tomcat's valve,
 * since no filter of a web application can decide whether the server's session cookie is {@code Secure}. Tomcat's valve
 * looks up names that it finds in place of addresses, and takes an unknown name for the client. This valve looks up nothing:
 * text that is no address ends the list, as an untrusted address does.
 */
final class TrustedProxiesValve extends RemoteIpValve {

    private static final String FORWARDED_FOR = "X-Forwarded-For";
    private static final String OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    private static final String FOUR_OCTETS = OCTET + "(?:\\." + OCTET + "){3}";

    /** The texts that the JDK parses without a name lookup. It rejects a text with a colon that is no address. */
    private static final Pattern ADDRESS = Pattern.compile(FOUR_OCTETS + "|[0-9A-Fa-f]*:[0-9A-Fa-f:.]*");

    /** What proxies write that add the client's port. */
    private static final Pattern WITH_PORT =
            Pattern.compile("(?<four>" + FOUR_OCTETS + "):\\d{1,5}|\\[(?<six>[0-9A-Fa-f:.]+)](?::\\d{1,5})?");

    /**
     * Makes a valve that trusts the hosts of {@code networks}.
     *
     * @param networks in CIDR notation, one or more
     */
    TrustedProxiesValve(List<String> networks) {
        setInternalProxies(String.join(",", networks));
        setRemoteIpHeader(FORWARDED_FOR);
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        List<String> hops = new ArrayList<>();
        for (String value : Collections.list(request.getHeaders(FORWARDED_FOR))) {
            for (String hop : value.split(",", -1)) {
                hops.add(withoutPort(hop.strip()));
            }
        }
        int first = hops.size();
        while (first > 0 && isAddress(hops.get(first - 1))) {
            first--;
        }
        if (first == hops.size()) { // no address is named: the peer is the client
            getNext().invoke(request, response);
            return;
        }
        String named = String.join(",", hops.subList(first, hops.size()));
        request.getCoyoteRequest().getMimeHeaders().setValue(FORWARDED_FOR).setString(named);
        super.invoke(request, response);
    }

    /** The address in {@code hop}, without the brackets of IPv6. */
    private static String withoutPort(String hop) {
        Matcher matcher = WITH_PORT.matcher(hop);
        if (!matcher.matches()) {
            return hop;
        }
        @Nullable String four = matcher.group("four");
        return four == null ? matcher.group("six") : four;
    }

    private static boolean isAddress(String hop) {
        if (!ADDRESS.matcher(hop).matches()) {
            return false;
        }
        try {
            var unused = InetAddress.getByName(hop);
            return true;
        } catch (UnknownHostException malformed) {
            return false;
        }
    }
}
