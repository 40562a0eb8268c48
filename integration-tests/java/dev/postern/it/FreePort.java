package dev.postern.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Finds the port that the server will listen on, before Arquillian reads its configuration; {@code -Dit.port} wins. */
final class FreePort implements BeforeAllCallback {

    private static final String PORT = "it.port";

    @Override
    public void beforeAll(ExtensionContext context) {
        if (System.getProperty(PORT) == null) {
            System.setProperty(PORT, Integer.toString(free()));
        }
    }

    private static int free() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no port is free", e);
        }
    }
}
