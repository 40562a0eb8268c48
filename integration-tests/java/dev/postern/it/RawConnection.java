package dev.postern.it;

import dev.postern.it.openapi.ActualRequest;
import dev.postern.it.openapi.OpenApi;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;

/**
 * A connection to the server that sends exactly the given bytes, well-formed or not, and waits 35 s at most. If the
 * first bytes identify a request, its response must be one that the web application's OpenAPI document describes.
 */
final class RawConnection implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 35_000;

    private final URI site;
    private final Socket socket;
    private final InputStream in;
    private Optional<ActualRequest> asked = Optional.empty();
    private boolean wasToldToContinue;

    private RawConnection(URI site, Socket socket) throws IOException {
        this.site = site;
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    static RawConnection to(URI site) throws IOException {
        return to(site, null);
    }

    /** Connects from one of the loopback addresses, {@code 127.0.0.x}; where a machine has but one, the test is skipped. */
    static RawConnection to(URI site, String from) throws IOException {
        Socket socket = new Socket();
        try {
            if (from != null) {
                socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
            }
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(site.getHost(), site.getPort()), PATIENCE_MILLIS);
            return new RawConnection(site, socket);
        } catch (BindException e) {
            socket.close();
            return Assumptions.abort("this machine has no " + from);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Sends {@code text} as ISO 8859-1. That the server has hung up meanwhile is for {@link #answer} to find. */
    RawConnection send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    RawConnection send(byte[] bytes) throws IOException {
        if (asked.isEmpty()) {
            asked = ActualRequest.of(new String(bytes, StandardCharsets.ISO_8859_1), site, "hooks");
        }
        try {
            socket.getOutputStream().write(bytes);
        } catch (SocketException serverHungUp) {
            return this;
        }
        return this;
    }

    /** Says that nothing more will be sent. */
    RawConnection end() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    /** The next answer; empty where the server closed the connection without one. */
    Optional<RawResponse> answer() throws IOException {
        try {
            RawResponse rawResponse = readAnswer();
            while (rawResponse != null && rawResponse.status() == 100) {
                wasToldToContinue = true;
                rawResponse = readAnswer();
            }
            check(rawResponse);
            return Optional.ofNullable(rawResponse);
        } catch (SocketException reset) {
            return Optional.empty();
        }
    }

    /** True when the server has asked for the body, which it does where a request expects 100. */
    boolean wasToldToContinue() {
        return wasToldToContinue;
    }

    /** True when the server closes the connection before it sends anything more. */
    boolean isClosed() throws IOException {
        try {
            return in.read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    /** Breaks the connection off with a reset. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private void check(RawResponse rawResponse) {
        if (rawResponse != null && asked.isPresent()) {
            OpenApi.check(asked.get(), rawResponse.toActualResponse());
        }
        asked = Optional.empty();
    }

    private RawResponse readAnswer() throws IOException {
        String line = line();
        if (line == null) {
            return null;
        }
        int status = Integer.parseInt(line.split(" ", 3)[1]);
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (line = line(); line != null && !line.isEmpty(); line = line()) {
            String[] header = line.split(":", 2);
            headers.computeIfAbsent(header[0], name -> new ArrayList<>()).add(header[1].strip());
        }
        return new RawResponse(status, headers, new String(body(headers), StandardCharsets.ISO_8859_1));
    }

    private byte[] body(Map<String, List<String>> headers) throws IOException {
        if (headers.containsKey("Transfer-Encoding")) {
            return chunks();
        }
        List<String> length = headers.get("Content-Length");
        return length == null ? new byte[0] : in.readNBytes(Integer.parseInt(length.get(0)));
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int size = chunkSize(); size > 0; size = chunkSize()) {
            body.write(in.readNBytes(size));
            line();
        }
        line();
        return body.toByteArray();
    }

    private int chunkSize() throws IOException {
        return Integer.parseInt(String.valueOf(line()), 16);
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                return null;
            }
            line.write(b);
        }
        return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
    }
}
