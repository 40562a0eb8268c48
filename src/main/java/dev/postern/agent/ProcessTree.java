package dev.postern.agent;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A program and everything that it has started. Children are found by their parents and, on Linux, by the environment
 * that they inherited: a child that was cut loose from its parent (a daemon: double fork, {@code setsid}) still carries
 * what names its turn, or its tool server. Only one that was cut loose and given a wholly new environment escapes.
 *
 * <p>What is left of earlier turns, when this program was killed, is found by its turn, which a run keeps in each
 * attempt, or by its lane, since a heartbeat has a name of its own each time: a session has one turn at a time.
 *
 * <p>All are asked to end, those that are left half a second later are killed, and the search is repeated until it
 * finds none, since a process may start another between the search and its end.
 */
public final class ProcessTree {

    /** The environment variable by which a turn's processes are known. */
    static final String TURN = "POSTERN_RUN_ID";

    /** The environment variable by which the processes of a session's turns are known. */
    static final String LANE = "POSTERN_LANE";

    private static final Logger LOG = System.getLogger(ProcessTree.class.getName());
    private static final Path PROC = Path.of("/proc");
    private static final Duration GRACE = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

    private final @Nullable Process root;
    private final List<String> marks;

    private ProcessTree(@Nullable Process root, List<String> marks) {
        this.root = root;
        this.marks = marks;
    }

    /** What {@code root}, which was started for the turn {@code turnId}, has become. */
    ProcessTree(Process root, String turnId) {
        this(root, List.of(mark(TURN, turnId)));
    }

    /** Ends what earlier attempts at the turn, and earlier turns of its lane, have left behind. */
    static void endWhatIsLeftOf(String turnId, String lane) {
        new ProcessTree(null, List.of(mark(TURN, turnId), mark(LANE, lane))).end();
    }

    /** What {@code root} has become, which was started with {@code value} as {@code variable} in its environment. */
    public static ProcessTree of(Process root, String variable, String value) {
        return new ProcessTree(root, List.of(mark(variable, value)));
    }

    /** Ends everything that has {@code value} as {@code variable} in its environment. */
    public static void endWhateverHas(String variable, String value) {
        new ProcessTree(null, List.of(mark(variable, value))).end();
    }

    private static String mark(String variable, String value) {
        return "\0" + variable + "=" + value + "\0";
    }

    /** Returns when nothing of the tree runs any more; after five seconds at the latest, with a warning. */
    public void end() {
        Set<ProcessHandle> running = find();
        running.forEach(ProcessHandle::destroy);
        long asked = System.nanoTime();
        while (!running.isEmpty()) {
            long waited = System.nanoTime() - asked;
            if (waited > PATIENCE.toNanos()) {
                LOG.log(Level.WARNING, "Processes that could not be ended: {0}", running.size());
                return;
            }
            if (waited > GRACE.toNanos()) {
                running.forEach(ProcessHandle::destroyForcibly);
            }
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
            running.addAll(find());
            running.removeIf(ProcessTree::hasEnded);
        }
    }

    private Set<ProcessHandle> find() {
        Set<ProcessHandle> found = new HashSet<>();
        if (root != null && root.isAlive()) {
            found.add(root.toHandle());
        }
        if (Files.isDirectory(PROC)) {
            found.addAll(marked());
        }
        for (ProcessHandle each : Set.copyOf(found)) {
            each.descendants().forEach(found::add);
        }
        found.remove(ProcessHandle.current());
        return found;
    }

    /** A process that has ended but was not yet buried by its parent, a zombie, counts as ended. */
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

    private Set<ProcessHandle> marked() {
        Set<ProcessHandle> marked = new HashSet<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[1-9]*")) {
            for (Path process : processes) {
                String environment = environment(process);
                if (marks.stream().anyMatch(environment::contains)) {
                    handle(process).ifPresent(marked::add);
                }
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "Processes can''t be listed: {0}", e.toString());
        }
        return marked;
    }

    private static Optional<ProcessHandle> handle(Path process) {
        return ProcessHandle.of(Long.parseLong(process.getFileName().toString()));
    }

    private static String environment(Path process) {
        try {
            return "\0" + Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
        } catch (IOException endedOrSomebodyElses) {
            return "";
        }
    }
}
