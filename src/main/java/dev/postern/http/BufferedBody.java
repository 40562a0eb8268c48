package dev.postern.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A body that has arrived whole, for an address outside the hooks. */
final class BufferedBody implements AdmissionResult {

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
