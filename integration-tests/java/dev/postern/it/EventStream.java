package dev.postern.it;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A client that follows a run on a connection of its own, and reads only when it is told to. */
public final class EventStream implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 90_000;

    private final Socket socket;
    private final InputStream in;
    private final Map<String, String> headers = new HashMap<>();
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();
    private int status;
    private int remaining;
    private boolean isWhole;
    private int comments;

    /**
     * An event of the stream.
     *
     * @param data what came with it, as JSON
     */
    public record Event(String type, String id, String data) {}

    private EventStream(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /**
     * Sends the request; reads nothing.
     *
     * @param run the address of the run
     * @param more further headers, a line each
     */
    public static EventStream open(URI run, String token, String... more) throws IOException {
        return open(run, token, 0, more);
    }

    /** The same; the system takes about {@code window} bytes that are not read, or what is usual where that is 0. */
    public static EventStream open(URI run, String token, int window, String... more) throws IOException {
        Socket socket = new Socket();
        if (window > 0) {
            socket.setReceiveBufferSize(window);
        }
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.connect(new InetSocketAddress(run.getHost(), run.getPort()), PATIENCE_MILLIS);
        StringBuilder request = new StringBuilder("GET " + run.getRawPath() + " HTTP/1.1\r\nHost: " + run.getAuthority()
                + "\r\nAuthorization: Bearer " + token + "\r\nAccept: text/event-stream\r\n");
        for (String header : more) {
            request.append(header).append("\r\n");
        }
        socket.getOutputStream().write((request + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        return new EventStream(socket);
    }

    /** The status of the response. */
    public int status() throws IOException {
        readHead();
        return status;
    }

    /** A header of the response; empty if it has none of this name. */
    public Optional<String> header(String name) throws IOException {
        readHead();
        return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
    }

    /** The next event; empty at the end of the stream. */
    public Optional<Event> next() throws IOException {
        readHead();
        for (String block = block(); block != null; block = block()) {
            Map<String, String> fields = new HashMap<>();
            for (String line : block.lines().toList()) {
                String[] field = line.split(": ?", 2);
                fields.put(field[0], field[1]);
            }
            if (fields.containsKey("data")) {
                return Optional.of(new Event(fields.get("event"), fields.get("id"), fields.get("data")));
            }
            comments += fields.containsKey("") ? 1 : 0;
        }
        return Optional.empty();
    }

    /** The ids of all further events, up to the end of the stream. */
    public List<String> ids() throws IOException {
        List<String> ids = new ArrayList<>();
        for (Optional<Event> event = next(); event.isPresent(); event = next()) {
            ids.add(event.get().id());
        }
        return ids;
    }

    /** Reads up to the event {@code id}; returns the ids that came before it. */
    public List<String> idsBefore(String id) throws IOException {
        List<String> ids = new ArrayList<>();
        for (Optional<Event> event = next(); event.isPresent(); event = next()) {
            if (event.get().id().equals(id)) {
                return ids;
            }
            ids.add(event.get().id());
        }
        throw new IOException("the stream with the status " + status + " ended with " + ids + " and without " + id);
    }

    /** The number of comments that came so far. */
    public int comments() {
        return comments;
    }

    /** Whether the response has come to its own end, and did not break off. */
    public boolean isWhole() {
        return isWhole;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** Breaks the connection off with a reset. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    private void readHead() throws IOException {
        if (status != 0) {
            return;
        }
        status = Integer.parseInt(line().split(" ", 3)[1]);
        for (String line = line(); !line.isEmpty(); line = line()) {
            String[] header = line.split(":", 2);
            headers.put(header[0].toLowerCase(Locale.ROOT), header[1].strip());
        }
    }

    /** The lines up to the next empty one; null at the end of the stream. */
    private String block() throws IOException {
        for (int b = read(); b >= 0; b = read()) {
            text.write(b);
            String so = b == '\n' ? text.toString(StandardCharsets.UTF_8) : "";
            if (so.endsWith("\n\n")) {
                text.reset();
                return so.strip();
            }
        }
        return null;
    }

    /** The next byte of the body; -1 at its end, and where it breaks off. */
    private int read() throws IOException {
        if (!headers.containsKey("transfer-encoding")) {
            return in.read();
        }
        if (remaining == 0 && !isWhole) {
            String size = line();
            size = size.isEmpty() ? line() : size;
            remaining = size.isEmpty() ? 0 : Integer.parseInt(size, 16);
            isWhole = remaining == 0 && !size.isEmpty();
        }
        if (remaining == 0) {
            return -1;
        }
        remaining--;
        return in.read();
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
            line.append((char) b);
        }
        return line.toString().strip();
    }
}
