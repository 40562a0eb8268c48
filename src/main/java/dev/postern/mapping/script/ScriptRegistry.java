package dev.postern.mapping.script;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.mapping.script.ModuleCompiler.BuildResult;
import dev.postern.mapping.script.ScriptEngine.CallResult;
import dev.postern.mapping.script.ScriptEngine.Program;
import dev.postern.mapping.script.ScriptResult.Failed;
import dev.postern.mapping.script.ScriptResult.NotRun;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The registry of the operator's transforms: modules in JavaScript or TypeScript, each called with one object and returning
 * another.
 *
 * <p>A module is called as {@code f({payload, headers, query, path, now, action, …})}. {@code f} is the export that is
 * named, else {@code default}, else {@code transform}, else {@code module.exports} itself. It may return an object,
 * {@code undefined}, {@code null}, or a promise of these that its own jobs settle. Whole numbers of the payload that
 * JavaScript can't hold to the last digit come as strings of their digits.
 *
 * <p>A call may take 250 ms of CPU time, 1.5 s in all, and allocate 64 MiB; strings end at a million characters. The clock
 * stands at the moment of the call, in UTC. A module that is ended for using too much five times in a minute is switched
 * off for a minute. A changed file is picked up within some seconds; meanwhile the program made of the previous version
 * stays in use. A broken file is logged and changes nothing. {@code console} writes to the log of this class at DEBUG.
 *
 * <p>Nothing is loaded and no thread is started until the first module is used. All methods may be called by many threads
 * at once. {@link #prepare}, and the first {@link #run} of a module that was not prepared, wait for the compiler.
 */
public final class ScriptRegistry implements AutoCloseable {

    /** The time between two calls of {@link #reloadChangedOn}. */
    public static final Duration LOOKS_PAUSE = Duration.ofSeconds(2);

    private static final System.Logger LOG = System.getLogger(ScriptRegistry.class.getName());
    private static final String BROKEN = "Changed transform [{0}] is broken; the previous version stays in use: {1}";
    private static final String SWITCHED_OFF =
            "is switched off for a minute, for it was ended " + ModuleCircuitBreaker.MOST + " times within one";
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final long LONGEST_BUILD_SECONDS = 60;
    /** At a start, which waits for it on a machine that is busy with other starts too. */
    private static final long LONGEST_PREPARATION_SECONDS = 600;

    private static final long LONGEST_RUN_SECONDS = 4;
    private static final long LONGEST_LOAD_SECONDS = 20;

    private final TransformFiles files;
    private final String threadPrefix;
    private final InstantSource time;
    private final ScriptBudget budget;
    private final boolean switchesOff;
    private final Map<Use, LoadedModule> modules = new ConcurrentHashMap<>();
    private final LongAdder kills = new LongAdder();
    private final LongAdder runs = new LongAdder();
    private final AtomicBoolean looking = new AtomicBoolean();

    private @Nullable ScriptRuntime scriptRuntime;
    private boolean closed;

    /**
     * Makes a registry of the modules below {@code transformsRoot}.
     *
     * @param threadPrefix stands before {@code -script-} in the names of threads, such as {@code postern-hooks}
     * @param time the clock that a script sees, and that decides when files are checked again
     */
    public ScriptRegistry(Path transformsRoot, String threadPrefix, InstantSource time) {
        this(transformsRoot, threadPrefix, time, ScriptBudget.RUN);
    }

    /**
     * Makes a registry that switches no module off, for trials of past requests and of samples. Each trial then tells why a
     * script was ended.
     *
     * @param time the clock that a script sees; may go back
     */
    public static ScriptRegistry forTrials(Path transformsRoot, String threadPrefix, InstantSource time) {
        return new ScriptRegistry(transformsRoot, threadPrefix, time, ScriptBudget.RUN, false);
    }

    /** Makes a registry whose script calls have {@code budget}. */
    ScriptRegistry(Path transformsRoot, String threadPrefix, InstantSource time, ScriptBudget budget) {
        this(transformsRoot, threadPrefix, time, budget, true);
    }

    private ScriptRegistry(
            Path transformsRoot, String threadPrefix, InstantSource time, ScriptBudget budget, boolean switchesOff) {
        this.budget = budget;
        this.switchesOff = switchesOff;
        this.files = new TransformFiles(transformsRoot);
        this.threadPrefix = threadPrefix;
        this.time = time;
    }

    /**
     * Reads a module and all it imports, compiles them and runs the module's top level once, without calling its function.
     *
     * @param module absolute, or relative to the transforms root
     * @param export null for the default ones
     * @return all problems; empty if the module can be run
     */
    public List<ScriptProblem> prepare(Path module, @Nullable String export) {
        ScriptRuntime box = runtime();
        if (box == null) {
            return List.of(problem(module, "it can't be loaded, for Postern is stopping"));
        }
        try {
            BuildResult buildResult = box.build(module, LONGEST_PREPARATION_SECONDS);
            Program program = buildResult.program();
            List<ScriptProblem> problems = program == null ? buildResult.problems() : loaded(box, program, export);
            if (problems.isEmpty()) {
                use(module, export).take(buildResult, time.instant());
            } else {
                use(module, export).keep(buildResult, problems, time.instant());
            }
            return problems;
        } catch (ScriptRuntime.NoResultException e) {
            return List.of(problem(module, "it could not be compiled: the compiler " + e.getMessage()));
        }
    }

    private ScriptProblem problem(Path module, String sentence) {
        return new ScriptProblem(files.name(module), 0, 0, sentence);
    }

    private static List<ScriptProblem> loaded(ScriptRuntime box, Program program, @Nullable String export)
            throws ScriptRuntime.NoResultException {
        return box.run(() -> box.engine().load(program, export, ScriptBudget.PREPARATION), LONGEST_LOAD_SECONDS);
    }

    /**
     * Calls a module's function. It returns within seconds at worst, whatever the script does.
     *
     * @param module as for {@link #prepare}
     * @param export null for the default ones
     * @param input the function's one argument
     */
    public ScriptResult run(Path module, @Nullable String export, ObjectNode input) {
        runs.increment();
        Instant now = time.instant();
        LoadedModule loaded = use(module, export);
        String name = loaded.name();
        if (loaded.circuitBreaker().isOff(now)) {
            return switchedOff(loaded, now);
        }
        ScriptRuntime box = runtime();
        if (box == null) {
            return new NotRun(sentence(name, "was not run, for Postern is stopping"), SOON);
        }
        try {
            Program program = program(box, new Use(module, export), loaded, now);
            if (program == null) {
                return failed(name, "can't be loaded: " + loaded.problems().get(0));
            }
            ScriptConsole console = new ScriptConsole(name);
            CallResult callResult = box.run(
                    () -> loaded.circuitBreaker().isOff(now)
                            ? new CallResult(switchedOff(loaded, now), false)
                            : box.engine().run(program, export, input, budget, now.toEpochMilli(), console),
                    LONGEST_RUN_SECONDS);
            if (callResult.killed()) {
                killed(loaded, now);
            }
            return callResult.result();
        } catch (ScriptRuntime.NoResultException e) {
            String what = String.valueOf(e.getMessage());
            if (e.reason() == ScriptRuntime.NoResultReason.UNRUN) {
                return new NotRun(sentence(name, what), SOON);
            }
            if (e.reason() == ScriptRuntime.NoResultReason.LATE) {
                killed(loaded, now);
            }
            return failed(name, what);
        }
    }

    private static NotRun switchedOff(LoadedModule loaded, Instant now) {
        return new NotRun(
                sentence(loaded.name(), SWITCHED_OFF), loaded.circuitBreaker().remaining(now));
    }

    private static Failed failed(String name, String what) {
        return new Failed(sentence(name, what), "");
    }

    private static String sentence(String name, String what) {
        return "the transform [" + name + "] " + what;
    }

    private void killed(LoadedModule loaded, Instant now) {
        kills.increment();
        if (switchesOff && loaded.circuitBreaker().recordTermination(now)) {
            LOG.log(
                    Level.WARNING,
                    "Transform [{0}] is switched off until {1}: it was ended {2} times within a minute",
                    loaded.name(),
                    now.plus(ModuleCircuitBreaker.OFF),
                    ModuleCircuitBreaker.MOST);
        }
    }

    /** The program to run now; null if there is none. A change is compiled in the background. */
    private @Nullable Program program(ScriptRuntime box, Use use, LoadedModule loaded, Instant now)
            throws ScriptRuntime.NoResultException {
        if (!loaded.isRead()) {
            loaded.take(box.build(use.module(), LONGEST_BUILD_SECONDS), now);
        } else {
            rebuildIfChanged(box, use, loaded, now);
        }
        return loaded.program();
    }

    private void rebuildIfChanged(ScriptRuntime box, Use use, LoadedModule loaded, Instant now) {
        if (loaded.isChanged(now)) {
            try {
                box.inBackground(() -> rebuild(box, use, loaded));
            } catch (RejectedExecutionException e) {
                loaded.abortBuild();
                LOG.log(Level.DEBUG, "Compiler busy; the changed transform will be compiled later", e);
            }
        }
    }

    /**
     * Has one of {@code threads} look for modules whose files have changed, which are then compiled. To be called every
     * {@link #LOOKS_PAUSE}, so that the next request finds the new version; if no thread is free, the next call sees to it.
     */
    public void reloadChangedOn(Executor threads) {
        if (modules.isEmpty()) {
            return;
        }
        try {
            threads.execute(this::reloadChanged);
        } catch (RejectedExecutionException busy) {
            LOG.log(Level.DEBUG, "No thread is free to look for changed transforms; the next look does");
        }
    }

    private void reloadChanged() {
        ScriptRuntime box;
        synchronized (this) {
            box = scriptRuntime;
        }
        if (box != null && looking.compareAndSet(false, true)) {
            try {
                Instant now = time.instant();
                modules.forEach((use, loaded) -> rebuildIfChanged(box, use, loaded, now));
            } finally {
                looking.set(false);
            }
        }
    }

    private void rebuild(ScriptRuntime box, Use use, LoadedModule loaded) {
        try {
            BuildResult buildResult = box.buildHere(use.module());
            Program program = buildResult.program();
            List<ScriptProblem> problems = program == null
                    ? buildResult.problems()
                    : box.engine().load(program, use.export(), ScriptBudget.PREPARATION);
            if (problems.isEmpty()) {
                loaded.take(buildResult, time.instant());
                LOG.log(Level.INFO, "Transform [{0}] has changed and was reloaded", loaded.name());
            } else {
                loaded.keep(buildResult, problems, time.instant());
                LOG.log(Level.WARNING, BROKEN, loaded.name(), problems.get(0));
            }
        } catch (ScriptTerminated e) {
            loaded.abortBuild();
            LOG.log(Level.DEBUG, "Postern is stopping; the changed transform was not compiled", e);
        } catch (RuntimeException | Error e) {
            loaded.abortBuild();
            LOG.log(Level.ERROR, "Changed transform could not be compiled; the previous version stays in use", e);
        }
    }

    /** The number of script calls that were ended for using too much. */
    public long kills() {
        return kills.sum();
    }

    /** The number of script calls that were asked for. */
    public long runs() {
        return runs.sum();
    }

    /** The modules that are switched off now, by their names below the transforms root. */
    public List<String> switchedOff() {
        Instant now = time.instant();
        return modules.values().stream()
                .filter(module -> module.circuitBreaker().isOff(now))
                .map(LoadedModule::name)
                .distinct()
                .sorted()
                .toList();
    }

    /** A module with the export that is called. */
    private record Use(Path module, @Nullable String export) {}

    private LoadedModule use(Path module, @Nullable String export) {
        return modules.computeIfAbsent(new Use(module, export), use -> new LoadedModule(files.name(module)));
    }

    private synchronized @Nullable ScriptRuntime runtime() {
        if (scriptRuntime == null && !closed) {
            scriptRuntime = new ScriptRuntime(files, threadPrefix);
        }
        return closed ? null : scriptRuntime;
    }

    /** Ends the running scripts, and waits for their threads. */
    @Override
    public void close() {
        ScriptRuntime box;
        synchronized (this) {
            closed = true;
            box = scriptRuntime;
            scriptRuntime = null;
        }
        if (box != null) {
            box.close();
        }
        modules.clear();
    }
}
