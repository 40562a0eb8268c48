package dev.postern.it.standalone;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A server socket that delays the delivery of mails while GreenMail does what a client has asked for. GreenMail would
 * not report a mail that arrives while it begins to idle, and would report one in the middle of a response. A thread
 * that serves a client has the shared lock except while it waits for the client. A thread that delivers takes the
 * exclusive lock.
 */
final class PausableServerSocket extends ServerSocket {

    private final ReadWriteLock turns = new ReentrantReadWriteLock();

    PausableServerSocket() throws IOException {
        super(0, 50, InetAddress.getLoopbackAddress());
    }

    /** Returns when no client is being served; until {@link #resume} none will be. */
    void pause() {
        turns.writeLock().lock();
    }

    /** Ends what {@link #pause} began, in the same thread. */
    void resume() {
        turns.writeLock().unlock();
    }

    /** Serves a client of this socket with {@code work}. */
    void serve(Runnable work) {
        turns.readLock().lock();
        try {
            work.run();
        } finally {
            turns.readLock().unlock();
        }
    }

    @Override
    public Socket accept() throws IOException {
        ClientSocket client = new ClientSocket();
        implAccept(client);
        client.setTcpNoDelay(true); // or each answer of several lines would wait for a delayed ACK
        return client;
    }

    private final class ClientSocket extends Socket {

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {

                @Override
                public int read(byte[] bytes, int offset, int length) throws IOException {
                    turns.readLock().unlock();
                    try {
                        return in.read(bytes, offset, length);
                    } finally {
                        turns.readLock().lock();
                    }
                }
            };
        }
    }
}
