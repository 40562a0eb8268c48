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
 * A record of the processes that ran at one moment, and of who had started whom. A process is its number and the time of its
 * start, so that one that has got the number of another is never taken for it.
 *
 * <p>Reading all processes takes some 50 µs each. One reading therefore serves all turns and tool servers for a while.
 */
final class ProcessSnapshot {

    private static final Duration SHORTEST_USE = Duration.ofMillis(100);

    /** A reading is used for at least this many times as long as it took: they take 2 % of a processor at most. */
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

    /** The processes of this moment. */
    static ProcessSnapshot now() {
        return new ProcessSnapshot();
    }

    /** The processes of this moment or of one that is not long ago, whoever has asked for them then. */
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

    /** Those of {@code processes} that ran, and everything that they had started and that still had its parent. */
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
