package dev.postern.app.launch;

import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.coyote.ActionCode;
import org.apache.coyote.Adapter;
import org.apache.coyote.ContinueResponseTiming;
import org.apache.coyote.Processor;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;

/**
 * An HTTP/1.1 protocol that bounds how many threads and how much memory clients hold that send or read slowly. Tomcat itself
 * bounds how long a client is silent, and no more than that. It also keeps requests of one connection apart.
 *
 * <p><b>Responses.</b> A thread writes a response until the system's send buffer takes the rest. A client that reads nothing
 * holds it for the write time-out, which is short while half of the threads are in use.
 *
 * <p><b>Heads.</b> A head that has begun costs some 30 KB until it is complete. It has 30 s for that. Of more than 2,000 such
 * heads, the one that is silent longest is given up.
 *
 * <p><b>Unread bodies.</b> Tomcat waits for the rest of a body that nobody has read, at least for its first bytes, after it has
 * responded itself. Here no thread waits: the connection is closed. A client that asks whether to send its body is not told to
 * before somebody reads.
 *
 * <p><b>Chunked bodies.</b> At the end of a chunked body that is read without waiting, Tomcat 11.0 handles an event of the
 * connection within the one under way. Another processor would read on. It would close the connection of a client that sends
 * nothing more, before the response, or respond to the next request first. Such an event is ignored: the one under way also
 * tells the reader of the end.
 */
final class SlowClientProtocol extends Http11NioProtocol {

    private final Limits limits;
    private final AtomicInteger busyThreads = new AtomicInteger();
    /** The connections with a part of a head; the one that is silent longest is first. */
    private final Set<SocketWrapperBase<?>> partialHeads = new LinkedHashSet<>();
    /** The connections that a thread processes now. */
    private final Set<SocketWrapperBase<?>> inProcess = ConcurrentHashMap.newKeySet();

    /**
     * The limits of a client that is slow.
     *
     * @param writeTimeout how long a client may read nothing of a response that waits for it
     * @param busyWriteTimeout the same while half of the threads are in use
     * @param headTime how long a head may take from its first byte to its end
     * @param heads the number of heads of which a part is here
     */
    record Limits(Duration writeTimeout, Duration busyWriteTimeout, Duration headTime, int heads) {

        static final Limits USUAL =
                new Limits(Duration.ofSeconds(5), Duration.ofMillis(100), Duration.ofSeconds(30), 2_000);
    }

    SlowClientProtocol(Limits limits) {
        this.limits = limits;
        setContinueResponseTiming("onRead");
    }

    @Override
    public void setAdapter(Adapter adapter) {
        super.setAdapter(new UnreadBodyAdapter(adapter));
    }

    @Override
    protected Processor createProcessor() {
        return new SlowClientProcessor();
    }

    /** Notes that {@code socket} has sent a part of a head, and gives up another one if they are too many. */
    private void hold(SocketWrapperBase<?> socket) {
        SocketWrapperBase<?> givenUp = socket;
        synchronized (partialHeads) {
            partialHeads.remove(socket);
            partialHeads.add(socket);
            if (partialHeads.size() > limits.heads()) {
                Iterator<SocketWrapperBase<?>> silentLongest = partialHeads.iterator();
                givenUp = silentLongest.next();
                silentLongest.remove();
            }
        }
        if (givenUp != socket) {
            givenUp.processSocket(SocketEvent.ERROR, true);
        }
    }

    private void release(SocketWrapperBase<?> socket) {
        synchronized (partialHeads) {
            partialHeads.remove(socket);
        }
    }

    /** A processor of one connection at a time, as long as that has a request. */
    private final class SlowClientProcessor extends Http11Processor {

        private boolean isHeadPartial;
        private long headBegan;

        SlowClientProcessor() {
            super(SlowClientProtocol.this, SlowClientProtocol.this.getAdapter());
        }

        /** Also answers {@code Expect: 100-continue}, as Tomcat itself does only at a read that waits. */
        @Override
        protected boolean isReadyForRead() {
            ack(ContinueResponseTiming.ON_REQUEST_BODY_READ);
            return super.isReadyForRead();
        }

        @Override
        public SocketState process(SocketWrapperBase<?> socket, SocketEvent event) throws IOException {
            if (!inProcess.add(socket)) {
                return SocketState.SUSPENDED;
            }
            boolean isBusy = busyThreads.getAndIncrement() >= getMaxThreads() / 2;
            socket.setWriteTimeout((isBusy ? limits.busyWriteTimeout() : limits.writeTimeout()).toMillis());
            SocketState state = SocketState.CLOSED;
            try {
                state = super.process(socket, event);
            } finally {
                inProcess.remove(socket);
                busyThreads.decrementAndGet();
                state = afterHead(socket, state);
            }
            return state;
        }

        /** The state of {@code socket}, which is closed if its head takes too long. */
        private SocketState afterHead(SocketWrapperBase<?> socket, SocketState state) {
            if (state != SocketState.LONG || isAsync()) {
                if (isHeadPartial) {
                    isHeadPartial = false;
                    release(socket);
                }
                return state;
            }
            long now = System.nanoTime();
            headBegan = isHeadPartial ? headBegan : now;
            isHeadPartial = now - headBegan < limits.headTime().toNanos();
            if (isHeadPartial) {
                hold(socket);
                return state;
            }
            release(socket);
            return SocketState.CLOSED;
        }
    }

    /** An adapter that closes the connection of a request whose body nobody has read, or will. */
    private record UnreadBodyAdapter(Adapter adapter) implements Adapter {

        @Override
        public void service(Request request, Response response) throws Exception {
            adapter.service(request, response);
            AtomicBoolean goesOn = new AtomicBoolean();
            request.action(ActionCode.ASYNC_IS_ASYNC, goesOn);
            if (!goesOn.get() && !request.isFinished()) {
                request.action(ActionCode.DISABLE_SWALLOW_INPUT, null);
            }
        }

        @Override
        public boolean prepare(Request request, Response response) throws Exception {
            return adapter.prepare(request, response);
        }

        @Override
        public boolean asyncDispatch(Request request, Response response, SocketEvent event) throws Exception {
            return adapter.asyncDispatch(request, response, event);
        }

        @Override
        public void log(Request request, Response response, long millis) {
            adapter.log(request, response, millis);
        }

        @Override
        public void checkRecycled(Request request, Response response) {
            adapter.checkRecycled(request, response);
        }

        @Override
        public String getDomain() {
            return adapter.getDomain();
        }
    }
}
