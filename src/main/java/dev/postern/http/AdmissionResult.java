package dev.postern.http;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A result of a request's admission, once its body has been read or will not be: the request is passed on, or an error
 * response is sent.
 */
sealed interface AdmissionResult
        permits BodyFilter.BufferedBody, AdmittedRequest, FixedErrorResponse, SlowBodyReader.WholeBody {

    /** The name of the request attribute that holds it. */
    String ATTRIBUTE = "dev.postern.http.verdict";

    /** Passes the request on, or sends the error response. */
    void carryOut(
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain,
            ResponseRecorder responseRecorder)
            throws IOException, ServletException;

    /** Stores this in {@code request}. */
    default void attach(ServletRequest request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    /** The result stored in {@code request}, which has been dispatched again for it; null on the first dispatch. */
    static @Nullable AdmissionResult dispatched(ServletRequest request) {
        return request.getDispatcherType() == DispatcherType.ASYNC ? of(request) : null;
    }

    /** The result stored in {@code request}; null if there is none. */
    static @Nullable AdmissionResult of(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof AdmissionResult admissionResult ? admissionResult : null;
    }
}
