package dev.postern.it.server;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.Random;

/**
 * A finder of free ports. They are none of those that systems give to clients (RFC 6335 has 49152 and above, Linux
 * 32768 and above): another process could take one of them before a server does. Nor are they those of a test process that began
 * beside this one, whose id is near.
 */
public final class PortFinder {

    private static final int LOWEST = 10_240;
    private static final int HIGHEST = 32_000;
    private static final int PROCESSES = 16;
    private static final int TRIES = 100;

    private PortFinder() {}

    public static int free() {
        Random random = new Random();
        int own = LOWEST + (int) (ProcessHandle.current().pid() % PROCESSES);
        for (int i = 0; i < TRIES; i++) {
            int port = own + PROCESSES * random.nextInt((HIGHEST - LOWEST) / PROCESSES);
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
