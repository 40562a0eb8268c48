package dev.postern.console;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A check that a browser's request comes from a page of this origin (W3C Fetch Metadata; RFC 6454 for older browsers). */
final class SameOriginCheck {

    private SameOriginCheck() {}

    /** Whether {@code request} may be from this origin. One without these headers comes from a program and not a browser. */
    static boolean allows(HttpServletRequest request) {
        @Nullable String site = request.getHeader("Sec-Fetch-Site");
        if (site != null) {
            return site.equals("same-origin") || site.equals("none");
        }
        @Nullable String origin = request.getHeader("Origin");
        return origin == null || isHost(origin, request.getHeader("Host"));
    }

    /** Whether {@code origin} has {@code host}. Compares the host only, since the scheme differs behind a proxy that terminates TLS. */
    static boolean isHost(String origin, @Nullable String host) {
        try {
            @Nullable String authority = URI.create(origin).getAuthority();
            return authority != null
                    && host != null
                    && authority.toLowerCase(Locale.ROOT).equals(host.toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }
}
