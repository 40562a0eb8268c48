package dev.postern.store;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A write that one caller has queued, and the future that the caller waits on. */
final class WriteJob<I, O> {

    /** The batch write for plain units: each one runs as it is. */
    private static final BatchWrite<UnitOfWork<Object>, Object> EACH = (sql, units) -> {
        Object[] results = new Object[units.size()];
        for (int i = 0; i < results.length; i++) {
            results[i] = units.get(i).run(sql);
        }
        return Arrays.asList(results);
    };

    private final BatchWrite<I, O> work;
    private final I input;
    private final CompletableFuture<O> future = new CompletableFuture<>();
    private @Nullable O result;

    WriteJob(BatchWrite<I, O> work, I input) {
        this.work = work;
        this.input = input;
    }

    @SuppressWarnings("unchecked") // a unit's result goes only into its own future
    static <T> WriteJob<UnitOfWork<T>, T> of(UnitOfWork<T> unit) {
        return new WriteJob<>((BatchWrite<UnitOfWork<T>, T>) (BatchWrite<?, ?>) EACH, unit);
    }

    CompletableFuture<O> future() {
        return future;
    }

    BatchWrite<I, O> work() {
        return work;
    }

    /** True for a plain unit, which gains nothing from running with others. */
    boolean isPlain() {
        return work == (BatchWrite<?, ?>) EACH;
    }

    /** Runs {@code jobs}, which all have this job's {@link BatchWrite}, and keeps their results. */
    @SuppressWarnings("unchecked") // jobs of one batch write have its types
    void runTogether(SqlTransaction sql, List<WriteJob<?, ?>> jobs) throws SQLException {
        List<I> inputs = jobs.stream().map(job -> ((WriteJob<I, O>) job).input).toList();
        List<O> results = work.run(sql, inputs);
        if (results.size() != jobs.size()) {
            throw new IllegalStateException(
                    "bulk work gave " + results.size() + " results for " + jobs.size() + " inputs");
        }
        for (int i = 0; i < results.size(); i++) {
            ((WriteJob<I, O>) jobs.get(i)).result = results.get(i);
        }
    }

    /** Completes the future with the result, which is on disk now. */
    void succeed() {
        future.complete(result);
    }

    void fail(Throwable cause) {
        future.completeExceptionally(cause);
    }
}
