package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * A request that is sent exactly as written, with everything that comes back until the server hangs up, as ISO 8859-1.
 *
 * @param answer the status line, the headers and the body as they were sent
 */
record RawExchange(String answer) {

    private static final int PATIENCE_MILLIS = 20_000;

    /** Sends {@code request}, after which the server must hang up, perhaps by a reset. */
    static RawExchange with(URI server, String request) throws IOException {
        return with(server, "127.0.0.1", request);
    }

    /** The same from {@code address}, one of this machine's own. */
    static RawExchange with(URI server, String address, String request) throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        try (Socket socket = new Socket()) {
            socket.bind(new InetSocketAddress(InetAddress.getByName(address), 0));
            socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.getInputStream().transferTo(answer);
        } catch (SocketException reset) {
            assertThat(answer.size()).as("bytes of an answer before %s", reset).isPositive();
        }
        return new RawExchange(answer.toString(StandardCharsets.ISO_8859_1));
    }

    int status() {
        assertThat(answer).startsWith("HTTP/1.");
        return Integer.parseInt(answer.substring(9, 12));
    }

    @Override
    public String toString() {
        return answer;
    }
}
