package dev.postern.it.standalone;

import dev.postern.it.standalone.RawRequestGenerator.Ending;
import dev.postern.it.standalone.RawRequestGenerator.RawRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * A connection that has sent an input, with all that came back.
 *
 * @param received as ISO 8859-1
 * @param isReset whether the server broke the connection off, which may cost the end of what it sent
 * @param millis the time from the end of the input to the end of what came back
 */
record RawFuzzConnection(String received, boolean isReset, long millis) {

    private static final int LONGEST_MILLIS = 10_000;

    /** Sends {@code request}, and fails where neither a response nor the end of the connection comes in ten seconds. */
    static RawFuzzConnection send(URI server, RawRequest request) throws IOException {
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        boolean isReset = false;
        long start = System.nanoTime();
        try (Socket socket = new Socket()) {
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), LONGEST_MILLIS);
            socket.setSoLinger(request.ending() == Ending.RESET, 0);
            try {
                write(request, socket.getOutputStream());
                if (request.ending() == Ending.HALF_CLOSE) {
                    socket.shutdownOutput();
                }
                start = System.nanoTime();
                if (request.isAnswered()) {
                    read(socket, request.ending() == Ending.OPEN, received);
                }
            } catch (SocketException serverHungUp) {
                isReset = true;
                start = System.nanoTime();
                drain(socket, received);
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError("a hang after " + text(received), e);
        }
        return new RawFuzzConnection(text(received), isReset, (System.nanoTime() - start) / 1_000_000);
    }

    private static void write(RawRequest request, OutputStream out) throws IOException {
        byte[] bytes = request.text().getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; i < request.pieces(); i++) {
            int from = bytes.length * i / request.pieces();
            out.write(bytes, from, bytes.length * (i + 1) / request.pieces() - from);
        }
    }

    /** Reads until the server closes the connection, or until there is one response. */
    private static void read(Socket socket, boolean isOneEnough, ByteArrayOutputStream received) throws IOException {
        long start = System.nanoTime();
        InputStream in = socket.getInputStream();
        byte[] bytes = new byte[65_536];
        while (!isOneEnough || !RawResponseCheck.isWhole(text(received))) {
            long left = LONGEST_MILLIS - (System.nanoTime() - start) / 1_000_000;
            if (left <= 0) {
                throw new SocketTimeoutException("the response has no end");
            }
            socket.setSoTimeout((int) left);
            int read = in.read(bytes);
            if (read < 0) {
                return;
            }
            received.write(bytes, 0, read);
        }
    }

    /** Reads what came before the server hung up. */
    private static void drain(Socket socket, ByteArrayOutputStream received) throws IOException {
        socket.setSoTimeout(LONGEST_MILLIS);
        InputStream in = socket.getInputStream();
        byte[] bytes = new byte[65_536];
        try {
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                received.write(bytes, 0, read);
            }
        } catch (SocketException reset) {
            return;
        }
    }

    private static String text(ByteArrayOutputStream received) {
        return received.toString(StandardCharsets.ISO_8859_1);
    }
}
