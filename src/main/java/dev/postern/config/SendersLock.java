package dev.postern.config;

import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A lock that lets one process at a time change the {@link SendersFile} of a home. A running Postern does not hold it. The
 * operating system drops the lock when the process ends, in any way; its file stays.
 */
final class SendersLock {

    /** The name of the lock's file in {@code data/}. */
    static final String NAME = "senders.lock";

    private final FileChannel channel;

    private SendersLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Locks the senders of {@code home}, and waits as long as another process does.
     *
     * @throws IOException if the lock's file can't be made or opened
     */
    static SendersLock of(Path home) throws IOException {
        Path file = home.resolve("data").resolve(NAME);
        if (!Files.exists(file)) {
            OwnerOnlyFiles.on(home).createDirectory(file.resolveSibling(""));
            OwnerOnlyFiles.create(file);
        }
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        boolean locked = false;
        try {
            locked = channel.lock().isValid();
            return new SendersLock(channel);
        } finally {
            if (!locked) {
                channel.close();
            }
        }
    }

    void close() throws IOException {
        channel.close();
    }
}
