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

    /**
     * Whether a listener may ask {@code isReady} after the last announced byte, and so be told that the body has ended.
     *
     * <p>GlassFish (7.0.21, Grizzly's {@code InputBuffer}) tells so without being asked. It takes the question as a wish
     * to read on, and then may read the connection's next request before it has finished this one. That request is lost:
     * its body never arrives, or its connection closes.
     */
    static boolean mayAskAfterLastByte(HttpServletRequest request) {
        return !request.getServletContext().getServerInfo().contains("GlassFish");
    }
}
