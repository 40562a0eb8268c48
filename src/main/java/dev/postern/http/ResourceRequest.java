package dev.postern.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A request to an address that is no hook, as Jersey may see it. Its path counts from the web application, so that each {@code @Path}
 * is a whole one, and it negotiates nothing: a header that begins with Accept or Content is not among those that are listed.
 */
final class ResourceRequest extends BufferedRequest {

    ResourceRequest(HttpServletRequest request, byte[] body) {
        super(request, body);
    }

    @Override
    public String getServletPath() {
        return "";
    }

    @Override
    public String getPathInfo() {
        @Nullable String path = super.getPathInfo();
        return path == null ? super.getServletPath() : super.getServletPath() + path;
    }

    @Override
    public Enumeration<String> getHeaderNames() {
        return Collections.enumeration(Collections.list(super.getHeaderNames()).stream()
                .filter(name -> !isNegotiation(name.toLowerCase(Locale.ROOT)))
                .toList());
    }

    private static boolean isNegotiation(String name) {
        return name.startsWith("accept") || name.startsWith("content");
    }
}
