package dev.postern.config;

import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.UserPrincipal;
import org.jspecify.annotations.Nullable;

/**
 * A replacement of a file's content, kept on disk under another name until it is carried out. It has the owner of the
 * file, or else the one of any new file.
 */
final class FileReplacement implements AutoCloseable {

    private final Path file;
    private final Path unfinished;

    private FileReplacement(Path file, Path unfinished) {
        this.file = file;
        this.unfinished = unfinished;
    }

    /** Prepares new content for {@code file}, which its owner alone may open. */
    static FileReplacement of(Path file, String content) throws IOException {
        FileReplacement replacement =
                new FileReplacement(file, OwnerOnlyFiles.on(file).writeTemporaryFile(file, content));
        boolean made = false;
        try {
            if (Files.exists(file)) {
                copyOwner(file, replacement.unfinished);
            }
            made = true;
        } finally {
            if (!made) {
                replacement.close();
            }
        }
        return replacement;
    }

    /** Gives {@code file} the owner of {@code like}. */
    private static void copyOwner(Path like, Path file) throws IOException {
        @Nullable PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (view == null) {
            return;
        }
        UserPrincipal owner = Files.getOwner(like);
        if (!view.getOwner().equals(owner)) {
            view.setOwner(owner);
        }
    }

    /** Replaces the old content with the new one atomically. */
    void commit() throws IOException {
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        OwnerOnlyFiles.syncNames(file.toAbsolutePath().resolveSibling(""));
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(unfinished);
    }
}
