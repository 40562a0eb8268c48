package dev.postern.backup;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postern.config.HomeDirectory;
import dev.postern.net.DirectoryTree;
import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The new content of a home, complete on the disk but not in its place yet. Several renames put it there, because the home
 * itself may be a mount point. A plan on the disk says so meanwhile: nothing starts on the home then, and the next restore
 * completes the renames.
 */
final class StagedHome {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path home;
    private final HomeFileSystem fileSystem;
    private final Path top;

    StagedHome(Path home, HomeFileSystem fileSystem) {
        this.home = home;
        this.fileSystem = fileSystem;
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

    /** The exception for a home that is as it was before the restore, because a part of it can't be moved aside. */
    static final class RevertedException extends Exception {

        private static final long serialVersionUID = 1L;

        private final IOException reason;

        RevertedException(IOException reason) {
            super(reason);
            this.reason = reason;
        }

        IOException reason() {
            return reason;
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

    /**
     * Puts the new content in its place. From here on it gets there, now or by the next restore, unless this one reverts it.
     *
     * @throws RevertedException if the old content can't be moved aside
     * @throws IOException if the home has a part of its new content, or its old one could not be moved back; the plan stays
     */
    void commit(Plan plan) throws IOException, RevertedException {
        try {
            OwnerOnlyFiles.on(home).writeFile(planFile(), JSON.writeValueAsString(plan));
        } catch (IOException e) {
            Files.deleteIfExists(planFile());
            throw reverted(e);
        }
        complete(plan);
    }

    /**
     * Does the renames of {@code plan} that have not been done yet.
     *
     * @throws RevertedException if the old content can't be moved aside
     * @throws IOException if the home has a part of its new content, or its old one could not be moved back; the plan stays
     */
    void complete(Plan plan) throws IOException, RevertedException {
        List<String> staged = HomeContent.parts(directory());
        if (plan.replaced() != null) {
            moveAside(plan, staged, home.resolve(plan.replaced()));
        }
        for (String part : staged) {
            Path place = home.resolve(part);
            if (Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
                DirectoryTree.delete(place); // an empty one, or it would have moved
            }
            move(directory().resolve(part), place);
        }
        OwnerOnlyFiles.syncNames(home);
        OwnerOnlyFiles.syncNames(home.resolve(HomeContent.DATA));
    }

    /** Ends a restore whose content is in its place. */
    void finish() throws IOException {
        Files.delete(planFile());
        DirectoryTree.delete(top);
    }

    private void moveAside(Plan plan, List<String> staged, Path aside) throws IOException, RevertedException {
        List<String> moved = new ArrayList<>();
        if (Files.isDirectory(aside)) {
            moved.addAll(HomeContent.parts(aside)); // by a restore that was interrupted
        }
        try {
            for (String part : HomeContent.parts(home)) {
                boolean isNew = plan.parts().contains(part) && !staged.contains(part);
                if (!isNew && !part.equals(plan.kept())) {
                    move(home.resolve(part), aside.resolve(part));
                    moved.add(part);
                }
            }
        } catch (IOException e) {
            if (!staged.containsAll(plan.parts())) {
                throw e;
            }
            try {
                moveBack(moved, aside);
            } catch (IOException unmoved) {
                e.addSuppressed(unmoved);
                throw e;
            }
            throw reverted(e);
        }
    }

    /** Moves the parts {@code moved} back to the home, and deletes the plan. */
    private void moveBack(List<String> moved, Path aside) throws IOException {
        for (String part : moved) {
            Path place = home.resolve(part);
            if (Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
                throw new FileAlreadyExistsException(place.toString());
            }
            move(aside.resolve(part), place);
        }
        deleteIfEmpty(aside.resolve(HomeContent.DATA));
        deleteIfEmpty(aside);
        OwnerOnlyFiles.syncNames(home);
        OwnerOnlyFiles.syncNames(home.resolve(HomeContent.DATA));
        Files.delete(planFile());
    }

    /** The exception for a home that is as it was, without the new content. */
    private RevertedException reverted(IOException e) {
        RevertedException reverted = new RevertedException(e);
        try {
            discard();
        } catch (IOException remains) {
            reverted.addSuppressed(remains); // the next restore deletes it
        }
        return reverted;
    }

    private static void deleteIfEmpty(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            boolean isEmpty;
            try (Stream<Path> children = Files.list(directory)) {
                isEmpty = children.findAny().isEmpty();
            }
            if (isEmpty) {
                Files.delete(directory);
            }
        }
    }

    private void move(Path from, Path to) throws IOException {
        OwnerOnlyFiles.createDirectories(Objects.requireNonNull(to.getParent()));
        fileSystem.move(from, to);
    }
}
