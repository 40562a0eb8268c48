package dev.postern.mapping.script;

import dev.postern.mapping.script.ModuleCompiler.BuildResult;
import dev.postern.mapping.script.ScriptEngine.Program;
import dev.postern.mapping.script.TransformFiles.Stamp;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A loaded module: its last good program, and whether its files have changed since. */
final class LoadedModule {

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    private final String name;
    private final ModuleCircuitBreaker moduleCircuitBreaker = new ModuleCircuitBreaker();

    private @Nullable Program program;
    private List<ScriptProblem> problems = List.of();
    private Map<Path, Stamp> stamps = Map.of();
    private Instant lookedAt = Instant.MIN;
    private boolean building;

    /** @param name of the module, below the transforms root */
    LoadedModule(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    ModuleCircuitBreaker circuitBreaker() {
        return moduleCircuitBreaker;
    }

    /** The last good program; null if there has been none. */
    synchronized @Nullable Program program() {
        return program;
    }

    /** The problems of the files as they were last read. */
    synchronized List<ScriptProblem> problems() {
        return problems;
    }

    /** Whether the files have been read at all. */
    synchronized boolean isRead() {
        return !stamps.isEmpty();
    }

    /** Stores a build. If it has problems, the last good program stays in use. */
    synchronized void take(BuildResult buildResult, Instant now) {
        building = false;
        lookedAt = now;
        stamps = buildResult.stamps();
        problems = buildResult.problems();
        if (buildResult.program() != null) {
            program = buildResult.program();
            moduleCircuitBreaker.reset();
        }
    }

    /**
     * Stores a build that can't be used. The current program stays in use; the files are read again after their next
     * change.
     */
    synchronized void keep(BuildResult buildResult, List<ScriptProblem> faults, Instant now) {
        building = false;
        lookedAt = now;
        stamps = buildResult.stamps();
        problems = faults;
    }

    /** Ends a build of a change that gave no result; it will be tried again. */
    synchronized void abortBuild() {
        building = false;
    }

    /**
     * Whether the files have changed and the caller should read them again. They are checked at most once a second, and
     * each change is reported once.
     */
    synchronized boolean isChanged(Instant now) {
        if (building || now.isBefore(lookedAt.plus(BETWEEN_LOOKS)) || stamps.isEmpty()) {
            return false;
        }
        lookedAt = now;
        building = stamps.entrySet().stream()
                .anyMatch(read -> !Stamp.of(read.getKey()).equals(read.getValue()));
        return building;
    }
}
