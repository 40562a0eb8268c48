package dev.postern.backup;

import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The exception for a backup that can't be made, read or restored. Its message is for the operator. */
public final class BackupException extends Exception {

    BackupException(String message) {
        super(message);
    }

    public BackupException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * The exception for an error of the file system.
     *
     * @param what what could not be done, as a sentence without a full stop
     */
    public static BackupException of(String what, IOException e) {
        if (e instanceof AccessDeniedException) {
            return new BackupException(what + ": this process may not open [" + e.getMessage() + "]", e);
        }
        if (e instanceof FileSystemException named && named.getReason() != null) {
            return new BackupException(what + ": " + named.getReason() + " [" + named.getFile() + "]", e);
        }
        return new BackupException(
                what + ": " + (e.getClass() == IOException.class ? e.getMessage() : OwnerOnlyFiles.reason(e)), e);
    }

    /** The exception for a backup whose content is not that of its making. */
    static BackupException damaged(Path backup, String what) {
        return new BackupException("[" + backup + "] is damaged: " + what);
    }
}
