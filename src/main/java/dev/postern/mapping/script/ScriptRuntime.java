package dev.postern.mapping.script;

import dev.postern.mapping.script.ModuleCompiler.BuildResult;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The runtime of scripts: Rhino, its class loader and its threads. It is created for the first module that is used. */
final class ScriptRuntime implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(ScriptRuntime.class.getName());

    private final ScriptEngine engine;
    private final ModuleCompiler moduleCompiler;
    private final ScriptThreads threads;

    ScriptRuntime(TransformFiles files, String threadPrefix) {
        MeteringClassLoader loader = new MeteringClassLoader();
        this.engine = loader.made(ScriptEngine.class, "RhinoEngine");
        this.moduleCompiler = new ModuleCompiler(engine, files);
        this.threads = new ScriptThreads(threadPrefix, loader, moduleCompiler::releaseTranslator);
    }

    /**
     * An exception for work without a result: no thread was free in time, the work did not end, or it failed. The message
     * says which.
     */
    static final class NoResultException extends Exception {

        private static final long serialVersionUID = 1L;

        private final NoResultReason noResultReason;

        NoResultException(String sentence, NoResultReason noResultReason) {
            super(sentence);
            this.noResultReason = noResultReason;
        }

        NoResultReason reason() {
            return noResultReason;
        }
    }

    /** A reason why there is no result. */
    enum NoResultReason {
        /** The work was not started; it may be tried again. */
        UNRUN,
        /** The work was started and did not end. */
        LATE,
        /** The sandbox itself failed. */
        BROKEN
    }

    ScriptEngine engine() {
        return engine;
    }

    /**
     * Builds a program of a module and its imports, on the compiling thread.
     *
     * @param longestSeconds until it begins, and again from then until it ends
     */
    BuildResult build(Path module, long longestSeconds) throws NoResultException {
        return on(threads.compiling(), () -> moduleCompiler.build(module), longestSeconds);
    }

    /** Runs {@code work} later, on the compiling thread. */
    void inBackground(Runnable work) {
        threads.compiling().execute(work);
    }

    /** Builds a program like {@link #build(Path, long)}; called on the compiling thread itself. */
    BuildResult buildHere(Path module) {
        return moduleCompiler.build(module);
    }

    /**
     * Runs {@code work} on a thread that runs scripts.
     *
     * @param longestSeconds until it begins, and again from then until it ends
     */
    <T> T run(Callable<T> work, long longestSeconds) throws NoResultException {
        return on(threads.running(), work, longestSeconds);
    }

    private static <T> T on(ExecutorService pool, Callable<T> work, long longestSeconds) throws NoResultException {
        Duration longest = Duration.ofSeconds(longestSeconds);
        return on(pool, work, longest, longest);
    }

    /**
     * Runs {@code work} on {@code pool} and waits for it. Work that begins late has as long as any other, and work that does
     * not begin in time is not run.
     */
    static <T> T on(ExecutorService pool, Callable<T> work, Duration longestWait, Duration longestRun)
            throws NoResultException {
        CountDownLatch begun = new CountDownLatch(1);
        Future<T> future;
        try {
            future = pool.submit(() -> {
                begun.countDown();
                return work.call();
            });
        } catch (RejectedExecutionException e) {
            throw new NoResultException("found no free thread, for too many wait", NoResultReason.UNRUN);
        }
        try {
            if (!begun.await(longestWait.toNanos(), TimeUnit.NANOSECONDS)) {
                future.cancel(true);
                throw new NoResultException("found no free thread in time", NoResultReason.UNRUN);
            }
            return future.get(longestRun.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            future.cancel(true);
            throw new NoResultException("did not end in time", NoResultReason.LATE);
        } catch (InterruptedException e) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            throw new NoResultException("was not waited for", NoResultReason.UNRUN);
        } catch (CancellationException e) {
            throw new NoResultException("was ended, for Postern is stopping", NoResultReason.UNRUN);
        } catch (ExecutionException e) {
            LOG.log(Level.ERROR, "Script thread failed", e.getCause());
            throw new NoResultException("failed inside Postern; the log says how", NoResultReason.BROKEN);
        }
    }

    @Override
    public void close() {
        threads.close();
    }
}
