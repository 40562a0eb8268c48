package dev.postern.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a second Postern, in this process or another, out of a home: two that share a SQLite file would run the same
 * work twice. The operating system drops the lock with the process, however it ends. The file holds the process id of
 * its owner, for the message, and stays when the lock is gone.
 */
final class HomeLock implements AutoCloseable {

    /** The locked byte lies far behind the text, since Windows keeps others from reading what is locked. */
    private static final long LOCKED_BYTE = 1L << 40;

    private static final int LONGEST_OWNER = 32;

    private final FileChannel channel;

    private HomeLock(FileChannel channel) {
        this.channel = channel;
    }

    /** Locks {@code file}, which is made when it isn't there; its directory must be. */
    static HomeLock acquire(Path file) throws StoreException {
        FileChannel channel = open(file);
        boolean locked = false;
        try {
            if (tryLock(channel) == null) {
                throw new StoreException("the home [" + file.getParent() + "] is in use by another Postern (process "
                        + owner(channel) + "); stop that one, or give this one a home of its own");
            }
            channel.truncate(0);
            channel.write(
                    ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
            locked = true;
            return new HomeLock(channel);
        } catch (IOException e) {
            throw new StoreException("cannot lock [" + file + "]: " + e.getMessage(), e);
        } finally {
            if (!locked) {
                closeQuietly(channel);
            }
        }
    }

    private static FileChannel open(Path file) throws StoreException {
        try {
            PrivateFiles.create(file);
            return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new StoreException("cannot open [" + file + "]: " + PrivateFiles.reason(e), e);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock(LOCKED_BYTE, 1, false);
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    private static String owner(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(LONGEST_OWNER);
        channel.read(text, 0);
        return new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        closeQuietly(channel);
    }

    private static void closeQuietly(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            System.getLogger(HomeLock.class.getName())
                    .log(System.Logger.Level.WARNING, "The lock of the home could not be closed", e);
        }
    }
}
