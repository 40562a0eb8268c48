package dev.postern.mapping.script;

import dev.postern.mapping.script.ModuleCompiler.Built;
import dev.postern.mapping.script.ScriptEngine.Program;
import dev.postern.mapping.script.TransformFiles.Stamp;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A module in use: its last good program, and whether its files have changed since. */
final class LoadedModule {

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    private final String name;
    private final ModuleCircuitBreaker moduleCircuitBreaker = new ModuleCircuitBreaker();

    private @Nullable Program program;
    private List<ScriptProblem> problems = List.of();
    private Map<Path, Stamp> stamps = Map.of();
    private Instant lookedAt = Instant.MIN;
    private boolean building;

    /** In use under {@code name}, its own below the transforms root. */
    LoadedModule(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    ModuleCircuitBreaker strikes() {
        return moduleCircuitBreaker;
    }

    /** The last program that was sound; null where there has been none. */
    synchronized @Nullable Program program() {
        return program;
    }

    /** What is wrong with the files as they were last read. */
    synchronized List<ScriptProblem> problems() {
        return problems;
    }

    /** Whether the files have been read at all. */
    synchronized boolean isRead() {
        return !stamps.isEmpty();
    }

    /** Takes what was made of the files; problems leave the last good program in place. */
    synchronized void take(Built built, Instant now) {
        building = false;
        lookedAt = now;
        stamps = built.stamps();
        problems = built.problems();
        if (built.program() != null) {
            program = built.program();
            moduleCircuitBreaker.forgive();
        }
    }

    /** The new program is not to be had: what is there is kept, and looked at again when it has changed again. */
    synchronized void keep(Built built, List<ScriptProblem> faults, Instant now) {
        building = false;
        lookedAt = now;
        stamps = built.stamps();
        problems = faults;
    }

    /** The building of a change came to nothing; it will be tried again. */
    synchronized void giveUp() {
        building = false;
    }

    /** Whether the files should be read again, which the caller then does: asked at most once a second, and once a change. */
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
