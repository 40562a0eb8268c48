package dev.postern.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A request whose body is in memory. None of its methods reads from the connection, so nothing waits for a sender. The
 * parameters of a form are UTF-8, as browsers send them (HTML, "application/x-www-form-urlencoded encoding").
 */
class BufferedRequest extends HttpServletRequestWrapper {

    private static final String ANSWERED_LATER = "dev.postern.http.later";
    private static final String FORM = "application/x-www-form-urlencoded";

    private static final byte[] NOTHING = {};

    private byte[] body;
    private ServletInputStream in;
    private @Nullable String form;

    BufferedRequest(HttpServletRequest request, byte[] body) {
        super(request);
        this.body = body;
        this.in = new Replay(new ByteArrayInputStream(body));
    }

    /** The same stream each time, as in servlets: some versions of Jersey ask for it again with every read. */
    @Override
    public ServletInputStream getInputStream() {
        return in;
    }

    /** The first value in the query, else in the body if that is a form; null if neither has one. */
    @Override
    public @Nullable String getParameter(String name) {
        @Nullable String inQuery = QueryStringParser.first(getQueryString(), name);
        return inQuery == null ? QueryStringParser.first(form(), name) : inQuery;
    }

    @Override
    public AsyncContext startAsync() {
        setAttribute(ANSWERED_LATER, true);
        return super.startAsync();
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        setAttribute(ANSWERED_LATER, true);
        return super.startAsync(request, response);
    }

    /** Whether the response to {@code request} was, or will be, sent after its dispatch, and ends the exchange itself. */
    static boolean isAnsweredLater(ServletRequest request) {
        return request.getAttribute(ANSWERED_LATER) != null;
    }

    /** Releases the body, which may be large, of a request that continues without it. */
    void forgetBody() {
        body = NOTHING;
        in = new Replay(new ByteArrayInputStream(NOTHING));
        form = "";
    }

    private String form() {
        if (form == null) {
            @Nullable String type = getHeader("Content-Type");
            boolean isForm =
                    type != null && type.strip().toLowerCase(Locale.ROOT).startsWith(FORM);
            form = isForm ? new String(body, StandardCharsets.UTF_8) : "";
        }
        return form;
    }

    /** A stream of a body that is in memory. */
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
