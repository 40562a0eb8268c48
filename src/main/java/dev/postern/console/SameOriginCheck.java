package dev.postern.console;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Tells whether a browser was sent here by a page of ours (W3C Fetch Metadata, and RFC 6454 for older browsers). */
final class SameOriginCheck {

    private SameOriginCheck() {}

    /** False where {@code request} says that another site's page has sent it. A program that says nothing is no browser. */
    static boolean allows(HttpServletRequest request) {
        @Nullable String site = request.getHeader("Sec-Fetch-Site");
        if (site != null) {
            return site.equals("same-origin") || site.equals("none");
        }
        @Nullable String origin = request.getHeader("Origin");
        return origin == null || isHost(origin, request.getHeader("Host"));
    }

    /** Compares the host alone: a proxy that ends TLS leaves the scheme behind. */
    private static boolean isHost(String origin, @Nullable String host) {
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
