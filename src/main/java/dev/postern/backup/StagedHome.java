package dev.postern.backup;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postern.config.HomeDirectory;
import dev.postern.net.DirectoryTree;
import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The new content of a home, complete on the disk but not in its place yet. Several renames put it there, because the home
 * itself may be a mount point. A plan on the disk says so meanwhile: nothing starts on the home then, and the next restore
 * completes the renames.
 */
final class StagedHome {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path home;
    private final Path top;

    StagedHome(Path home) {
        this.home = home;
        this.top = home.resolve(HomeDirectory.RESTORE);
    }

    /**
     * The plan of the renames.
     *
     * @param backup the id of the backup that is restored
     * @param parts the parts of the home that are new, as paths in the home
     * @param kept the part that stays as it is; null if none does
     * @param replaced the name of the directory in the home that the old content moves to; null if there is none
     */
    record Plan(String backup, List<String> parts, @Nullable String kept, @Nullable String replaced) {

        Plan {
            parts = List.copyOf(parts);
        }
    }

    /** The directory for everything that a restore makes before it has an effect. */
    Path top() {
        return top;
    }

    /** The directory for the new content. */
    Path directory() {
        return top.resolve("new");
    }

    private Path planFile() {
        return top.resolve(HomeDirectory.RESTORE_PLAN);
    }

    /** The plan of a restore that was interrupted; null if none was. */
    @Nullable
    Plan interrupted() throws IOException {
        return Files.exists(planFile()) ? JSON.readValue(Files.readAllBytes(planFile()), Plan.class) : null;
    }

    /** Makes the empty directory for the new content, without the remains of an earlier restore. */
    void prepare() throws IOException {
        DirectoryTree.delete(top);
        OwnerOnlyFiles.createDirectories(directory());
    }

    /** Deletes the new content. The home stays as it is. */
    void discard() throws IOException {
        DirectoryTree.delete(top);
    }

    /** Puts the new content in its place. From here on it is complete, or the next restore completes it. */
    void commit(Plan plan) throws IOException {
        OwnerOnlyFiles.on(home).writeFile(planFile(), JSON.writeValueAsString(plan));
        complete(plan);
    }

    /** Does the renames of {@code plan} that have not been done yet. */
    void complete(Plan plan) throws IOException {
        List<String> staged = HomeContent.parts(directory());
        if (plan.replaced() != null) {
            for (String part : HomeContent.parts(home)) {
                boolean isNew = plan.parts().contains(part) && !staged.contains(part);
                if (!isNew && !part.equals(plan.kept())) {
                    move(home.resolve(part), home.resolve(plan.replaced()).resolve(part));
                }
            }
        }
        for (String part : staged) {
            Path place = home.resolve(part);
            if (Files.isDirectory(place)) {
                DirectoryTree.delete(place); // an empty one, or it would have moved
            }
            move(directory().resolve(part), place);
        }
        OwnerOnlyFiles.syncNames(home);
        OwnerOnlyFiles.syncNames(home.resolve(HomeContent.DATA));
        Files.delete(planFile());
        DirectoryTree.delete(top);
    }

    private static void move(Path from, Path to) throws IOException {
        OwnerOnlyFiles.createDirectories(Objects.requireNonNull(to.getParent()));
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }
}
