package dev.postern.http;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What becomes of a request whose body has been read, or will not be. */
sealed interface AdmissionResult permits BufferedBody, AdmittedRequest, FixedErrorResponse {

    /** Where it hangs on the request. */
    String ATTRIBUTE = "dev.postern.http.verdict";

    /** Has the request answered, or answers it. */
    void carryOut(
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain,
            ResponseRecorder responseRecorder)
            throws IOException, ServletException;

    /** Leaves this on {@code request}. */
    default void attach(ServletRequest request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    /** What was left on {@code request}, which has come back for it; null where it comes for the first time. */
    static @Nullable AdmissionResult dispatched(ServletRequest request) {
        return request.getDispatcherType() == DispatcherType.ASYNC ? of(request) : null;
    }

    /** What was left on {@code request}; null where nothing was. */
    static @Nullable AdmissionResult of(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof AdmissionResult admissionResult ? admissionResult : null;
    }
}
