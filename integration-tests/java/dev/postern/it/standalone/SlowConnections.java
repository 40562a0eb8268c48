package dev.postern.it.standalone;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** A crowd of connections that send something at first, and then at most a byte at a time. They read nothing. */
final class SlowConnections implements AutoCloseable {

    /** Linux makes it its least, about 2 KB. */
    private static final int SMALLEST_WINDOW = 1;

    private final URI server;
    private final List<SlowConnection> connections = new ArrayList<>();

    private record SlowConnection(SocketChannel channel, ByteBuffer rest) {}

    SlowConnections(URI server) {
        this.server = server;
    }

    /** Opens {@code count} connections, each of which sends {@code first} now and {@code rest} byte by byte. */
    SlowConnections open(int count, String first, String rest) throws IOException {
        byte[] start = first.getBytes(ISO_8859_1);
        ByteBuffer drops = ByteBuffer.wrap(rest.getBytes(ISO_8859_1));
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketChannel.open();
            connections.add(new SlowConnection(channel, drops.duplicate()));
            channel.setOption(StandardSocketOptions.SO_RCVBUF, SMALLEST_WINDOW);
            channel.connect(new InetSocketAddress(server.getHost(), server.getPort()));
            channel.configureBlocking(false);
            send(channel, ByteBuffer.wrap(start));
        }
        return this;
    }

    /** Sends the next byte of each. */
    void drip() {
        for (SlowConnection each : connections) {
            if (each.rest().hasRemaining()) {
                ByteBuffer next = each.rest().slice(each.rest().position(), 1);
                send(each.channel(), next);
                each.rest().position(each.rest().position() + next.position());
            }
        }
    }

    /** Sends as much as the server takes without being waited for. A server that hangs up has its reasons. */
    private static void send(SocketChannel channel, ByteBuffer bytes) {
        try {
            int written = 1;
            while (bytes.hasRemaining() && written > 0) {
                written = channel.write(bytes);
            }
        } catch (IOException hungUp) {
            bytes.position(bytes.limit());
        }
    }

    @Override
    public void close() throws IOException {
        for (SlowConnection each : connections) {
            each.channel().close();
        }
    }
}
