package dev.postern.http;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.concurrent.Executor;

/** A registration of a listener for the bytes of a request's body. */
final class ReadListenerRegistration {

    private ReadListenerRegistration() {}

    /**
     * Registers {@code listener} for the body of {@code request}, which is asynchronous.
     *
     * <p>Open Liberty (26.0.0.5, {@code AsyncReadCallback}) calls a listener in the context of the request that the
     * registering thread handles by then. That may be another request, whose query the dispatch would take over. It may
     * also be one that has ended, with which the dispatch fails. The clock's thread never handles a request; then
     * Liberty uses the listener's own.
     *
     * @param clock runs on one thread of its own, from which no request is dispatched
     */
    static void begin(HttpServletRequest request, ReadListener listener, Executor clock) throws IOException {
        ServletInputStream in = request.getInputStream();
        if (request.getServletContext().getServerInfo().contains("Liberty")) {
            clock.execute(() -> in.setReadListener(listener));
        } else {
            in.setReadListener(listener);
        }
    }
}
