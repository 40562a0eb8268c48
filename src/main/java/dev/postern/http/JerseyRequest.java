package dev.postern.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request as Jersey sees it: with the headers of {@link HooksResource} and the body that the filter has read. If it
 * is asynchronous, its context is a {@link LeakFreeAsyncContext}.
 */
final class JerseyRequest extends BufferedRequest {

    private final List<String> names;

    JerseyRequest(HttpServletRequest request, byte[] body) {
        super(request, body);
        this.names = HooksResource.HEADERS.stream()
                .filter(name -> request.getHeader(name) != null)
                .toList();
    }

    @Override
    public Enumeration<String> getHeaderNames() {
        return Collections.enumeration(names);
    }

    @Override
    public @Nullable String getContentType() {
        return null;
    }

    @Override
    public AsyncContext startAsync() {
        return new LeakFreeAsyncContext(super.startAsync());
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        return new LeakFreeAsyncContext(super.startAsync(request, response));
    }

    @Override
    public AsyncContext getAsyncContext() {
        return new LeakFreeAsyncContext(super.getAsyncContext());
    }
}
