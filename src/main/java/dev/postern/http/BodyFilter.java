package dev.postern.http;

import dev.postern.access.BodyLimit;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;

/**
 * A filter that reads the bodies of requests to addresses outside the hooks. A servlet behind it has the whole body in
 * memory, or none, so no request thread waits for a sender.
 */
public final class BodyFilter implements Filter {

    private final BodyReader bodyReader;
    private final ResponseRecorder responseRecorder;
    private volatile Function<HttpServletRequest, Optional<BodyLimit>> limits = request -> Optional.empty();

    /** Creates a filter that reads no body until {@link #limit} is called. */
    public BodyFilter(BodyReader bodyReader, ResponseRecorder responseRecorder) {
        this.bodyReader = bodyReader;
        this.responseRecorder = responseRecorder;
    }

    /**
     * Sets the limits, and reads bodies from now on.
     *
     * @param limits the limit of a request's body, from the request's headers; empty if the body is not read
     */
    public void limit(Function<HttpServletRequest, Optional<BodyLimit>> limits) {
        this.limits = limits;
    }

    @Override
    public void doFilter(ServletRequest servletRequest, ServletResponse servletResponse, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest request = (HttpServletRequest) servletRequest;
        HttpServletResponse response = (HttpServletResponse) servletResponse;
        if (SlowBodyReader.resume(request, response, chain, responseRecorder)) {
            return;
        }
        Optional<BodyLimit> limit = limits.apply(request);
        if (limit.isPresent()) {
            PageSender.setSecurityHeaders(response);
            bodyReader.take(request, response, chain, limit.get(), BufferedBody::new);
        } else {
            bodyReader.ignore(request, response, chain);
        }
    }

    @Override
    public void destroy() {
        bodyReader.close();
    }

    /** A body that has arrived whole, for an address outside the hooks. */
    static final class BufferedBody implements AdmissionResult {

        private final byte[] body;

        BufferedBody(byte[] body) {
            this.body = body;
        }

        @Override
        public void carryOut(
                HttpServletRequest request,
                HttpServletResponse response,
                FilterChain chain,
                ResponseRecorder responseRecorder)
                throws IOException, ServletException {
            chain.doFilter(new BufferedRequest(request, body), response);
        }
    }
}
