package dev.postern.backup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The operations of the file system by which a restore puts the parts of a home in their places. */
class HomeFileSystem {

    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");

    /** The field of a line in {@link #MOUNTS} with the mount point. */
    private static final int MOUNT_POINT = 4;

    /** Renames {@code from} to {@code to}, which no other process sees half done. */
    void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    /** The mount points that this process sees; none where the operating system does not list them as Linux does. */
    List<Path> mountPoints() throws IOException {
        return Files.isReadable(MOUNTS)
                ? mountPoints(new String(Files.readAllBytes(MOUNTS), StandardCharsets.UTF_8))
                : List.of();
    }

    /** The mount points that {@code mountinfo}, a text of Linux, lists, without those that this process's locale can't spell. */
    static List<Path> mountPoints(String mountinfo) {
        List<Path> points = new ArrayList<>();
        mountinfo.lines().map(line -> line.split(" ", -1)).forEach(fields -> {
            if (fields.length > MOUNT_POINT) {
                path(unescape(fields[MOUNT_POINT])).ifPresent(points::add);
            }
        });
        return points;
    }

    private static Optional<Path> path(String name) {
        try {
            return Optional.of(Path.of(name));
        } catch (InvalidPathException ofAnotherLocale) {
            return Optional.empty(); // no file of such a place can be named either
        }
    }

    /** Linux writes blanks, line feeds and backslashes in names as three octal digits after a backslash. */
    private static String unescape(String name) {
        return name.replace("\\040", " ")
                .replace("\\011", "\t")
                .replace("\\012", "\n")
                .replace("\\134", "\\");
    }
}
