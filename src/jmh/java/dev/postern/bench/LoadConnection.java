package dev.postern.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A connection to a server here, with one request under way at a time. Responses have a Content-Length and fit in 8
 * KiB.
 */
final class LoadConnection {

    /** Instead of a status: more of the answer is still to come. */
    static final int UNFINISHED = 0;
    /** Instead of a status: the server has closed the connection. */
    static final int CLOSED = -1;

    private static final int MAX_ANSWER_BYTES = 8_192;
    private static final int STATUS_START = "HTTP/1.1 ".length();
    private static final String LENGTH = "\r\ncontent-length:";

    private final SocketChannel channel;
    private final ByteBuffer answer = ByteBuffer.allocate(MAX_ANSWER_BYTES);
    private boolean closes;

    private LoadConnection(SocketChannel channel) {
        this.channel = channel;
    }

    /** Connects to {@code port}; {@code selector} tells when there is something to {@link #receive}. */
    static LoadConnection open(int port, Selector selector) throws IOException {
        SocketChannel channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        LoadConnection connection = new LoadConnection(channel);
        channel.register(selector, SelectionKey.OP_READ, connection);
        return connection;
    }

    void send(byte[] request) throws IOException {
        answer.clear();
        if (channel.write(ByteBuffer.wrap(request)) < request.length) {
            throw new IOException("a request does not fit into the socket's buffer");
        }
    }

    /** Takes what has come; returns the answer's status once all of it is here, else {@link #UNFINISHED} or {@link #CLOSED}. */
    int receive() throws IOException {
        if (channel.read(answer) < 0) {
            close();
            return CLOSED;
        }
        String text = new String(answer.array(), 0, answer.position(), StandardCharsets.ISO_8859_1);
        int headEnd = text.indexOf("\r\n\r\n");
        if (headEnd < 0) {
            return UNFINISHED;
        }
        String head = text.substring(0, headEnd).toLowerCase(Locale.ROOT);
        if (answer.position() < headEnd + 4 + contentLength(head)) {
            return UNFINISHED;
        }
        if (head.contains("\r\nconnection: close")) {
            close();
        }
        return Integer.parseInt(head.substring(STATUS_START, STATUS_START + 3));
    }

    /** True once either side has ended the connection. */
    boolean closes() {
        return closes;
    }

    private void close() throws IOException {
        closes = true;
        channel.close();
    }

    private static int contentLength(String head) {
        int start = head.indexOf(LENGTH);
        if (start < 0) {
            return 0;
        }
        int end = head.indexOf('\r', start + LENGTH.length());
        return Integer.parseInt(head.substring(start + LENGTH.length(), end < 0 ? head.length() : end)
                .strip());
    }
}
