package dev.postern.console;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of the page from which a browser has sent a form, as its {@code Referer} names it (RFC 9110, 10.1.3). Only a page
 * of this console counts, so that no header leads an operator elsewhere.
 */
final class ReturnAddress {

    /** Segments that a server may read in another way than a browser. */
    private static final Pattern AMBIGUOUS =
            Pattern.compile("(^|/)\\.|//|[;\\\\]|%(2e|2f|3b|5c)", Pattern.CASE_INSENSITIVE);

    /** {@code java -jar} has 3 KiB for all headers of a response, and one repeats the address. */
    private static final int LONGEST = 2_000;

    private ReturnAddress() {}

    /** The path and query below the console's of the page that sent {@code request}; empty if it names none of them, or is too long. */
    static Optional<String> of(HttpServletRequest request) {
        return of(request.getHeader("Referer"), request.getHeader("Host"), ConsoleAddresses.root(request));
    }

    /**
     * The part of {@code referer} behind {@code root}.
     *
     * @param root the console's path, such as {@code /postern/console/}
     */
    static Optional<String> of(@Nullable String referer, @Nullable String host, String root) {
        if (referer == null || !SameOriginCheck.isHost(referer, host)) {
            return Optional.empty();
        }
        URI page = URI.create(referer);
        String path = page.getRawPath();
        if (!path.startsWith(root) || AMBIGUOUS.matcher(path).find()) {
            return Optional.empty();
        }
        String place = path.substring(root.length());
        return Optional.of(page.getRawQuery() == null ? place : place + "?" + page.getRawQuery())
                .filter(address -> address.length() <= LONGEST);
    }
}
