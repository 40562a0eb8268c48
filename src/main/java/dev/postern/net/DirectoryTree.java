package dev.postern.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A directory with all that is below it. */
public final class DirectoryTree {

    private DirectoryTree() {}

    /**
     * Deletes {@code tree} if it is there. Links in it are deleted, and not followed.
     *
     * @throws IOException if something can't be deleted; what was deleted before is gone
     */
    public static void delete(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(tree)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
