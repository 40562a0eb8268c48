package dev.postern.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** A TCP relay between a client and a server on this machine, which a test can cut or silence. */
final class TcpRelay implements AutoCloseable {

    private final int target;
    private final int port;
    private final List<Socket> sockets = new ArrayList<>();
    private final Object silence = new Object();
    private ServerSocket server;
    private boolean silent;

    TcpRelay(int target) throws IOException {
        this.target = target;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.port = server.getLocalPort();
        serve(server);
    }

    int port() {
        return port;
    }

    /** Breaks every connection and refuses new ones. No connection is left when it returns. */
    synchronized void cut() throws IOException {
        server.close();
        breakConnections();
    }

    /** Accepts connections again. */
    synchronized void mend() throws IOException {
        server = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        serve(server);
    }

    /** Breaks every connection; new ones are accepted. */
    synchronized void breakConnections() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        sockets.clear();
    }

    /** Forwards nothing any more, while every connection stays open. */
    void stopForwarding() {
        setSilent(true);
    }

    void resumeForwarding() {
        setSilent(false);
    }

    @Override
    public void close() throws IOException {
        cut();
        resumeForwarding();
    }

    private void setSilent(boolean value) {
        synchronized (silence) {
            silent = value;
            silence.notifyAll();
        }
    }

    private void serve(ServerSocket accepting) {
        daemon(() -> {
            while (!accepting.isClosed()) {
                Socket client = accepting.accept();
                join(accepting, client);
            }
        });
    }

    /** Joins {@code client} to the server. Closes it if it was accepted during a cut. */
    private synchronized void join(ServerSocket accepting, Socket client) throws IOException {
        if (accepting.isClosed()) {
            client.close();
            return;
        }
        Socket upstream = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(client);
        sockets.add(upstream);
        daemon(() -> pump(client, upstream));
        daemon(() -> pump(upstream, client));
    }

    private void pump(Socket from, Socket to) throws IOException, InterruptedException {
        byte[] buffer = new byte[8192];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                synchronized (silence) {
                    while (silent) {
                        silence.wait();
                    }
                }
                out.write(buffer, 0, count);
                out.flush();
            }
        }
    }

    private static void daemon(RelayTask relayTask) {
        Thread thread = new Thread(() -> {
            try {
                relayTask.run();
            } catch (IOException | InterruptedException e) {
                System.getLogger(TcpRelay.class.getName()).log(System.Logger.Level.TRACE, "the wire ended", e);
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private interface RelayTask {
        void run() throws IOException, InterruptedException;
    }
}
