package dev.postern.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.ByteArrayInputStream;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request as Jersey may see it: the headers of {@link HookCall}, and the body that the filter has read; asynchronous, it is an
 * {@link Exchange}.
 */
final class HookRequest extends HttpServletRequestWrapper {

    private final List<String> names;
    private final ServletInputStream body;

    HookRequest(HttpServletRequest request, byte[] body) {
        super(request);
        this.names = HookCall.HEADERS.stream()
                .filter(name -> request.getHeader(name) != null)
                .toList();
        this.body = new Replay(new ByteArrayInputStream(body));
    }

    @Override
    public Enumeration<String> getHeaderNames() {
        return Collections.enumeration(names);
    }

    @Override
    public @Nullable String getContentType() {
        return null;
    }

    /** The same stream each time, as servlets have it: some Jerseys ask for it anew with every read. */
    @Override
    public ServletInputStream getInputStream() {
        return body;
    }

    @Override
    public AsyncContext startAsync() {
        return new Exchange(super.startAsync());
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        return new Exchange(super.startAsync(request, response));
    }

    @Override
    public AsyncContext getAsyncContext() {
        return new Exchange(super.getAsyncContext());
    }

    /** The body once more. */
    private static final class Replay extends ServletInputStream {

        private final ByteArrayInputStream bytes;

        Replay(ByteArrayInputStream bytes) {
            this.bytes = bytes;
        }

        @Override
        public int read() {
            return bytes.read();
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            return bytes.read(target, offset, length);
        }

        @Override
        public int available() {
            return bytes.available();
        }

        @Override
        public boolean isFinished() {
            return bytes.available() == 0;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new IllegalStateException("the body has been read");
        }
    }
}
