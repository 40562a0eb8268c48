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
 * A file's new content, on the disk under another name until it is carried out. It then has the owner that the file had,
 * or else its directory has: who set Postern up is not always who runs it.
 */
final class FileReplacement implements AutoCloseable {

    private final Path file;
    private final Path unfinished;

    private FileReplacement(Path file, Path unfinished) {
        this.file = file;
        this.unfinished = unfinished;
    }

    /** New content of a file that its owner alone may open. */
    static FileReplacement of(Path file, String content) throws IOException {
        FileReplacement replacement =
                new FileReplacement(file, OwnerOnlyFiles.on(file).unfinished(file, content));
        boolean made = false;
        try {
            replacement.handOver();
            made = true;
        } finally {
            if (!made) {
                replacement.close();
            }
        }
        return replacement;
    }

    private void handOver() throws IOException {
        Path like = Files.exists(file) ? file : file.toAbsolutePath().getParent();
        @Nullable PosixFileAttributeView view = Files.getFileAttributeView(unfinished, PosixFileAttributeView.class);
        if (view == null) {
            return;
        }
        UserPrincipal owner = Files.getOwner(like);
        if (!view.getOwner().equals(owner)) {
            view.setOwner(owner);
        }
    }

    /** Puts the new content in the place of the old one, at one go. */
    void carryOut() throws IOException {
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(unfinished);
    }
}
