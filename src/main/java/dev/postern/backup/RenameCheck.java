package dev.postern.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** A check that the parts of a home can be renamed within it. It changes nothing. */
final class RenameCheck {

    private final Path home;
    private final List<Path> mountPoints;

    /** @param home an existing home */
    RenameCheck(Path home, List<Path> mountPoints) {
        this.home = home;
        this.mountPoints = List.copyOf(mountPoints);
    }

    /**
     * Checks {@code part}, a path in the home.
     *
     * @throws BackupException in words for the operator, if it can't be renamed
     */
    void require(String part) throws IOException, BackupException {
        Path named = home.resolve(part);
        Path directory = Objects.requireNonNull(named.getParent()).toRealPath();
        Path place = directory.resolve(named.getFileName());
        for (Path point : mountPoints) {
            if (point.startsWith(place)) {
                throw unchanged("[" + point + "] is a mount point, and restore renames what is in the home; unmount it"
                        + " first, or restore to another home");
            }
        }
        // A link is renamed itself, but the database gets its place behind that of its directory.
        boolean isFollowed = !Files.isSymbolicLink(place) || part.equals(HomeContent.DATA);
        if (!Files.getFileStore(isFollowed ? place : directory).equals(Files.getFileStore(home))) {
            throw unchanged("[" + named + "] is on another disk than its home, and restore renames files between them;"
                    + " restore to another home, and copy the files by hand");
        }
        requireWritable(directory);
        if (Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
            requireWritable(place);
        }
    }

    /** A directory can be moved only by those who may write to it, since its entry for its parent changes. */
    private void requireWritable(Path directory) throws BackupException {
        if (!Files.isWritable(directory)) {
            throw unchanged("this process may not write to the directory [" + directory
                    + "], which restore moves or takes files from; allow it (chmod u+w) first");
        }
    }

    private BackupException unchanged(String why) {
        return new BackupException("the home [" + home + "] is unchanged: " + why);
    }
}
