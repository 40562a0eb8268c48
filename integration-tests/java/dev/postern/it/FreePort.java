package dev.postern.it;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.Random;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Finds the port that the server will listen on, before Arquillian reads its configuration; {@code -Dit.port} wins. It is
 * none of those that systems give to clients (RFC 6335 has 49152 and above, Linux 32768 and above): one of them could be
 * anybody's again before the server has it.
 */
final class FreePort implements BeforeAllCallback {

    private static final String PORT = "it.port";
    private static final int LOWEST = 10_240;
    private static final int HIGHEST = 32_000;
    private static final int TRIES = 100;

    @Override
    public void beforeAll(ExtensionContext context) {
        if (System.getProperty(PORT) == null) {
            System.setProperty(PORT, Integer.toString(free()));
        }
    }

    private static int free() {
        Random random = new Random();
        for (int i = 0; i < TRIES; i++) {
            int port = random.nextInt(LOWEST, HIGHEST);
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("none of " + TRIES + " ports is free");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
