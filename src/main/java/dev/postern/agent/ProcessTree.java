package dev.postern.agent;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A tree of processes: a program and everything that it has started.
 *
 * <ul>
 *   <li>A process is found by its parents as long as it has them. While the program runs, {@link #note} keeps the processes
 *       that it finds, so that they are known after their parent has ended.
 *   <li>On Linux a process is also found by the {@link ProcessMarker} that it inherited. A daemon (double fork,
 *       {@code setsid}, a cleared environment) keeps the marker.
 *   <li>If control groups are available, a {@link ControlGroup} holds all processes, also those without parents and markers.
 * </ul>
 *
 * If a program was killed together with Postern, its processes are found by their markers, and in the groups that are named
 * after them.
 *
 * <p>All processes are asked to end; those that are left half a second later are killed. The search is repeated until it
 * finds none twice in a row, because one search may miss a process that another has just started.
 *
 * <p>A process escapes from its control group by moving itself to another. Without a group, a process on Linux escapes only
 * if it has changed that limit, cleared its environment, and lost its parent before it was noted. On other systems a process
 * escapes if it has lost its parent before it was noted. Processes that another service starts for the program, such as
 * {@code at}, a container engine or {@code systemd-run}, always escape.
 */
public final class ProcessTree {

    private static final Logger LOG = System.getLogger(ProcessTree.class.getName());
    private static final Path PROC = Path.of("/proc");
    private static final Duration GRACE = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);
    private static final int EMPTY_SEARCHES = 2;

    private final List<ProcessMarker> marks;
    private final List<ControlGroup> groups;
    private final Set<ProcessHandle> known = ConcurrentHashMap.newKeySet();

    /** The program, whose end is known without a look at the processes; null if there is none. */
    private final @Nullable Process root;

    private ProcessTree(@Nullable Process root, List<ProcessMarker> marks) {
        this.root = root;
        this.marks = ProcessMarker.isReadable() ? List.copyOf(marks) : List.of();
        this.groups =
                marks.stream().flatMap(mark -> ControlGroup.of(mark).stream()).toList();
    }

    /** Creates the tree of {@code root} and of all processes that carry one of {@code marks}. */
    public ProcessTree(Process root, ProcessMarker... marks) {
        this(root, List.of(marks));
        known.add(root.toHandle());
    }

    /** Ends all processes that carry one of {@code marks}. */
    public static void endAll(ProcessMarker... marks) {
        new ProcessTree(null, List.of(marks)).end();
    }

    /**
     * Notes the processes that the program has started so far. To be called repeatedly while the program runs; costs little.
     * Does nothing while the processes can't be read.
     */
    public void note() {
        ProcessSnapshot recent;
        try {
            recent = ProcessSnapshot.recent();
        } catch (RuntimeException unreadable) { // there is no free file descriptor
            LOG.log(Level.DEBUG, "The processes could not be read", unreadable);
            return;
        }
        known.addAll(recent.trees(known));
        known.removeIf(process -> !process.isAlive());
    }

    /**
     * Ends the tree. Returns when none of its processes runs; after five seconds at the latest, with a warning, also if the
     * processes can't be read until then.
     */
    public void end() {
        Set<ProcessHandle> asked = new HashSet<>();
        long began = System.nanoTime();
        for (int inVain = 0; inVain < EMPTY_SEARCHES; ) {
            Optional<Set<ProcessHandle>> found = findIfReadable();
            Set<ProcessHandle> running = found.orElse(Set.of());
            if (found.isPresent() && running.isEmpty() && populated().isEmpty()) {
                inVain++;
                continue;
            }
            inVain = 0;
            long waited = System.nanoTime() - began;
            if (waited > PATIENCE.toNanos()) {
                LOG.log(Level.WARNING, "Processes that could not be ended: {0}", Math.max(1, running.size()));
                return;
            }
            if (waited > GRACE.toNanos()) {
                populated().forEach(ControlGroup::kill);
                running.forEach(ProcessHandle::destroyForcibly);
            } else {
                running.stream().filter(asked::add).forEach(ProcessHandle::destroy);
            }
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        }
        groups.forEach(ControlGroup::remove);
    }

    /** The processes that run; empty if they can't be read. */
    private Optional<Set<ProcessHandle>> findIfReadable() {
        try {
            return Optional.of(find());
        } catch (RuntimeException unreadable) { // there is no free file descriptor
            LOG.log(Level.DEBUG, "The processes could not be read", unreadable);
            return Optional.empty();
        }
    }

    private Set<ProcessHandle> find() {
        ProcessSnapshot now = ProcessSnapshot.now();
        known.addAll(marked(now.all()));
        known.addAll(grouped(now.all()));
        known.addAll(now.trees(known));
        known.remove(ProcessHandle.current());
        known.removeIf(ProcessTree::hasEnded);
        if (root != null && root.isAlive()) { // seems to have ended where there is no file descriptor to look
            known.add(root.toHandle());
        }
        return Set.copyOf(known);
    }

    private List<ProcessHandle> marked(Collection<ProcessHandle> processes) {
        return processes.stream()
                .filter(process -> marks.stream().anyMatch(mark -> mark.isOn(process.pid())))
                .toList();
    }

    /** The processes in a group. A process with a reused number is recognized by its start time. */
    private List<ProcessHandle> grouped(Collection<ProcessHandle> processes) {
        Set<Long> ids =
                groups.stream().flatMap(group -> group.processIds().stream()).collect(Collectors.toSet());
        return processes.stream().filter(process -> ids.contains(process.pid())).toList();
    }

    private List<ControlGroup> populated() {
        return groups.stream().filter(ControlGroup::isPopulated).toList();
    }

    /** A zombie, which has ended but was not yet reaped by its parent, counts as ended. */
    private static boolean hasEnded(ProcessHandle process) {
        if (!process.isAlive()) {
            return true;
        }
        try {
            String stat = Files.readString(PROC.resolve(process.pid() + "/stat"), StandardCharsets.ISO_8859_1);
            return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
        } catch (IOException noSuchFile) {
            return !process.isAlive();
        }
    }
}
