package dev.postern.agent;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the processes at one moment and of their parents. A process is its number and its start time, so that a
 * process with a reused number is never taken for the earlier one.
 *
 * <p>Reading all processes takes about 50 µs each. One snapshot therefore serves all turns and tool servers for a while.
 */
final class ProcessSnapshot {

    private static final Duration SHORTEST_USE = Duration.ofMillis(100);

    /** A snapshot is used for at least this many times as long as it took, so snapshots take at most 2 % of a processor. */
    private static final long USE_PER_COST = 50;

    private static final Object READING = new Object();
    private static volatile @Nullable ProcessSnapshot latest;

    private final Set<ProcessHandle> all = new HashSet<>();
    private final Map<ProcessHandle, List<ProcessHandle>> children = new HashMap<>();
    private final long takenAt;
    private final long useNanos;

    private ProcessSnapshot() {
        long began = System.nanoTime();
        ProcessHandle.allProcesses().forEach(process -> {
            all.add(process);
            process.parent().ifPresent(parent -> children.computeIfAbsent(parent, none -> new ArrayList<>())
                    .add(process));
        });
        takenAt = System.nanoTime();
        useNanos = Math.max(SHORTEST_USE.toNanos(), (takenAt - began) * USE_PER_COST);
    }

    /** A snapshot of this moment. */
    static ProcessSnapshot now() {
        return new ProcessSnapshot();
    }

    /** A snapshot of this moment or of one not long ago, shared by all callers. */
    static ProcessSnapshot recent() {
        ProcessSnapshot known = latest;
        if (known == null || !known.isRecent()) {
            synchronized (READING) {
                known = latest;
                if (known == null || !known.isRecent()) {
                    known = now();
                    latest = known;
                }
            }
        }
        return known;
    }

    private boolean isRecent() {
        return System.nanoTime() - takenAt < useNanos;
    }

    Set<ProcessHandle> all() {
        return all;
    }

    /** Those of {@code processes} that ran, and all their descendants that still had their parent. */
    Set<ProcessHandle> trees(Collection<ProcessHandle> processes) {
        Set<ProcessHandle> found = new HashSet<>();
        Deque<ProcessHandle> ahead = new ArrayDeque<>(processes);
        while (!ahead.isEmpty()) {
            ProcessHandle next = ahead.pop();
            if (all.contains(next) && found.add(next)) {
                ahead.addAll(children.getOrDefault(next, List.of()));
            }
        }
        return found;
    }
}
