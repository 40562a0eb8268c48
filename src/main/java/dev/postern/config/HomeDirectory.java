package dev.postern.config;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * The home directory and the origin of its name.
 *
 * @param directory absolute; need not exist yet
 * @param source the origin of its name, such as {@code environment variable POSTERN_HOME}
 */
public record HomeDirectory(Path directory, ValueOrigin source) {

    /** The directory in a home in which a restore prepares the new content. */
    public static final String RESTORE = ".restore";

    /** The file in {@link #RESTORE} that is there while the new content takes the place of the old one. */
    public static final String RESTORE_PLAN = "plan.json";

    /**
     * Reports a problem if a restore was interrupted while the home had content of both.
     *
     * @return true if none was
     */
    public boolean checkRestore(ConfigurationProblems problems) {
        boolean isInterrupted = Files.exists(directory.resolve(RESTORE).resolve(RESTORE_PLAN));
        if (isInterrupted) {
            problems.add(
                    "home",
                    source,
                    "is [" + directory + "], where a restore was interrupted",
                    "run the same restore again, which completes it");
        }
        return !isInterrupted;
    }

    /** The directory if it exists, else the nearest one above it that does. */
    Path nearestExisting() {
        return nearestExisting(directory);
    }

    /** {@code path} if it exists, else the nearest one above it that does. A link to nothing exists. */
    static Path nearestExisting(Path path) {
        Path there = path;
        while (!Files.exists(there, LinkOption.NOFOLLOW_LINKS) && there.getParent() != null) {
            there = there.getParent();
        }
        return there;
    }

    @Override
    public String toString() {
        return directory + " (" + source + ")";
    }
}
