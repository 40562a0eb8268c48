package dev.postern.http;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.concurrent.Executor;

/** Begins to listen to what comes of a body. */
final class ReadListenerRegistration {

    private ReadListenerRegistration() {}

    /**
     * Has {@code listener} told of the body of {@code request}, which is asynchronous.
     *
     * <p>Open Liberty (26.0.0.5, {@code AsyncReadCallback}) calls a listener as if for the request that the thread which set
     * the listener is at by then: another's, whose query the dispatch would take over, or one that has ended, with which the
     * dispatch fails. On the clock's thread there never is a request, and then it goes by the listener's own.
     *
     * @param clock runs on one thread of its own, which no request is dispatched from
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
