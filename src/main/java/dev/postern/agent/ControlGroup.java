package dev.postern.agent;

import dev.postern.model.Sha256;
import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A control group (cgroup v2, cgroups(7)) that holds one program and all processes that it starts, whatever happens to their
 * parents, their environments and their limits. A process leaves it only by moving itself to another group.
 *
 * <p>The group is a child of the group of Postern's own process, has no controllers, and is named after the program's
 * marker, so that a later Postern finds it. There is none if Postern may not write to its own group. Failures are only
 * logged.
 */
final class ControlGroup {

    private static final Logger LOG = System.getLogger(ControlGroup.class.getName());
    private static final Path PROC = Path.of("/proc/self");
    private static final String PREFIX = "postern-";
    private static final String PROCESSES = "cgroup.procs";

    /** {@code 36 25 0:30 / /sys/fs/cgroup rw,relatime shared:4 - cgroup2 cgroup2 rw}: root and mount point, see proc(5). */
    private static final Pattern MOUNT = Pattern.compile("\\S+ \\S+ \\S+ (\\S+) (\\S+) .* - cgroup2 .*");

    private static final Pattern OWN_GROUP = Pattern.compile("0::(/.*)");
    private static final Optional<Path> PARENT = parent();

    private final Path directory;

    private ControlGroup(Path directory) {
        this.directory = directory;
    }

    /** The group of the processes that carry {@code mark}, whether it exists or not; empty if groups are not available. */
    static Optional<ControlGroup> of(ProcessMarker mark) {
        String name = PREFIX + Sha256.name(mark.variable() + "=" + mark.value(), 16);
        return PARENT.map(parent -> new ControlGroup(parent.resolve(name)));
    }

    /** The directory of Postern's own group, in which programs get theirs; empty if groups are not available. */
    static Optional<Path> parentDirectory() {
        return PARENT;
    }

    /** The group's directory, whether it exists or not. */
    Path directory() {
        return directory;
    }

    private static Optional<Path> parent() {
        try {
            Optional<Path> own = ownGroups(lines("mountinfo"), lines("cgroup"))
                    .filter(group -> Files.isWritable(group) && Files.isWritable(group.resolve(PROCESSES)))
                    .findFirst();
            own.ifPresent(ControlGroup::removeUnused);
            return own;
        } catch (IOException | InvalidPathException e) {
            LOG.log(Level.DEBUG, "Control groups are not available: {0}", e);
            return Optional.empty();
        }
    }

    private static List<String> lines(String file) throws IOException {
        return Files.readAllLines(PROC.resolve(file), StandardCharsets.ISO_8859_1);
    }

    /**
     * The directories of a process's own group: one for each mount of cgroup v2 that shows it.
     *
     * @param mounts the lines of {@code /proc/self/mountinfo}
     * @param groups the lines of {@code /proc/self/cgroup}
     */
    static Stream<Path> ownGroups(List<String> mounts, List<String> groups) {
        List<Path> own = groups.stream()
                .map(OWN_GROUP::matcher)
                .filter(Matcher::matches)
                .map(group -> Path.of(group.group(1)))
                .toList();
        return mounts.stream().map(MOUNT::matcher).filter(Matcher::matches).flatMap(mount -> {
            Path root = Path.of(mount.group(1));
            return own.stream().filter(group -> group.startsWith(root)).map(group -> Path.of(mount.group(2))
                    .resolve(root.relativize(group)));
        });
    }

    /**
     * Removes those of Postern's groups in {@code parent} that have no process: a Postern that was killed has left them. A
     * program whose group another Postern has just created, and that is not in it yet, runs without one.
     */
    static void removeUnused(Path parent) {
        try (DirectoryStream<Path> groups = Files.newDirectoryStream(parent, PREFIX + "*")) {
            groups.forEach(group -> new ControlGroup(group).remove());
        } catch (IOException | DirectoryIteratorException e) {
            LOG.log(Level.DEBUG, "Unused control groups cannot be listed: {0}", e);
        }
    }

    /** Creates the group and returns the file that takes a process into it, by writing 0; empty if that fails. */
    Optional<Path> open() {
        try {
            return Optional.of(OwnerOnlyFiles.createDirectories(directory).resolve(PROCESSES));
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "A control group cannot be created: {0}", e);
            return Optional.empty();
        }
    }

    /** The ids of the processes in this group and in the groups that the program has created below it. */
    Set<Long> processIds() {
        return all().stream()
                .flatMap(group -> read(group, PROCESSES).lines())
                .map(Long::valueOf)
                .collect(Collectors.toSet());
    }

    /** Whether a process runs in this group or below it, even one that starts another and ends before it can be seen. */
    boolean isPopulated() {
        return read(directory, "cgroup.events").contains("populated 1");
    }

    /** Kills all processes of the group at once, including another user's; does nothing before Linux 5.14. */
    void kill() {
        try {
            Files.writeString(directory.resolve("cgroup.kill"), "1", StandardOpenOption.WRITE);
        } catch (IOException goneOrOlderLinux) {
            LOG.log(Level.DEBUG, "A control group cannot be killed: {0}", goneOrOlderLinux);
        }
    }

    /** Removes the group and those below it, unless a process runs in them. */
    void remove() {
        List<Path> groups = isPopulated() ? List.of() : all();
        try {
            for (int i = groups.size() - 1; i >= 0; i--) {
                Files.delete(groups.get(i));
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "A control group cannot be removed: {0}", e);
        }
    }

    /** This group, if it exists, and all groups below it, parents first. */
    private List<Path> all() {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isDirectory).toList();
        } catch (IOException | UncheckedIOException goneMeanwhile) {
            return List.of();
        }
    }

    private static String read(Path group, String file) {
        try {
            return Files.readString(group.resolve(file));
        } catch (IOException goneMeanwhile) {
            return "";
        }
    }
}
