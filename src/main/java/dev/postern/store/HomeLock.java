package dev.postern.store;

import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A lock that keeps a second Postern, in this process or another, out of a home or a SQLite file. Two Posterns that
 * share one would run the same turns twice. The operating system drops the lock when the process ends, in any way. The
 * file holds the process id of its owner, for the error message, and stays when the lock is gone.
 *
 * <p>A process that closes any descriptor of a file drops all its locks on that file. So the file isn't even opened
 * while another web app of this process holds it: a system property, which class loaders share, says so.
 */
public final class HomeLock implements AutoCloseable {

    private static final String HELD = "dev.postern.held:";

    /**
     * The offset of the locked byte. It is far behind the text, because Windows keeps others from reading locked bytes.
     */
    private static final long LOCKED_BYTE = 1L << 40;

    private static final int LONGEST_OWNER = 32;

    private final Path file;
    private final String mark;
    private final FileChannel channel;

    private HomeLock(Path file, String mark, FileChannel channel) {
        this.file = file;
        this.mark = mark;
        this.channel = channel;
    }

    /** The name of the file in {@code data/} that a home is locked by. */
    public static final String FILE = "postern.lock";

    /**
     * Locks {@code home}. Its {@code data} directory is made when it is missing.
     *
     * @param home an absolute path
     * @throws AlreadyInUseException when a Postern uses it
     * @throws StoreException in words for the operator, when the lock's file can't be made
     */
    public static HomeLock ofHome(Path home) throws StoreException {
        return acquire(home.resolve("data").resolve(FILE), "home [" + home + "]");
    }

    /** Locks the SQLite file {@code database}. Its directory is made when it is missing. */
    static HomeLock ofDatabase(Path database) throws StoreException {
        return acquire(lockOf(database), "database [" + database + "]");
    }

    /** True when {@code database} lies in this home and needs no lock of its own. */
    boolean covers(Path database) throws StoreException {
        Path lock = lockOf(database);
        try {
            return Files.exists(lock) && Files.isSameFile(lock, file);
        } catch (IOException e) {
            throw new StoreException("cannot look at [" + lock + "]: " + OwnerOnlyFiles.reason(e), e);
        }
    }

    /** The lock of the SQLite file {@code database}. */
    static Path lockOf(Path database) {
        String stem = database.getFileName().toString().replaceFirst("\\.db$", "");
        return database.resolveSibling(stem + ".lock");
    }

    private static HomeLock acquire(Path file, String what) throws StoreException {
        Path directory = file.resolveSibling("");
        String mark;
        try {
            // SQLite syncs the names in this directory, and nobody else syncs its own.
            OwnerOnlyFiles.createDurableDirectories(directory);
            mark = HELD + directory.toRealPath().resolve(file.getFileName());
        } catch (IOException e) {
            throw new StoreException("cannot make [" + directory + "]: " + OwnerOnlyFiles.reason(e), e);
        }
        if (System.getProperties().putIfAbsent(mark, what) != null) {
            throw inUse(what, ProcessHandle.current().pid() + ", this server");
        }
        boolean locked = false;
        try {
            HomeLock lock = lock(file, mark, what);
            locked = true;
            return lock;
        } finally {
            if (!locked) {
                System.clearProperty(mark);
            }
        }
    }

    private static HomeLock lock(Path file, String mark, String what) throws StoreException {
        FileChannel channel = open(file);
        boolean locked = false;
        try {
            if (tryLock(channel) == null) {
                throw inUse(what, owner(channel));
            }
            channel.truncate(0);
            channel.write(
                    ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
            locked = true;
            return new HomeLock(file, mark, channel);
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
            OwnerOnlyFiles.create(file);
            return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new StoreException("cannot open [" + file + "]: " + OwnerOnlyFiles.reason(e), e);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock(LOCKED_BYTE, 1, false);
        } catch (OverlappingFileLockException e) { // other code has replaced the process's system properties
            return null;
        }
    }

    private static AlreadyInUseException inUse(String what, String process) {
        return new AlreadyInUseException(
                "the " + what + " is in use by another Postern (process " + process + ")",
                "stop that one, or give this one its own");
    }

    private static String owner(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(LONGEST_OWNER);
        channel.read(text, 0);
        return new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        closeQuietly(channel);
        System.clearProperty(mark);
    }

    private static void closeQuietly(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            System.getLogger(HomeLock.class.getName())
                    .log(System.Logger.Level.WARNING, "Could not close the lock file of the home", e);
        }
    }
}
