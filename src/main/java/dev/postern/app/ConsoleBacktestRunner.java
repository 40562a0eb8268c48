package dev.postern.app;

import dev.postern.acceptance.DeliveryLookup;
import dev.postern.config.ConfigurationResult;
import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.config.ConfigurationResult.Rejected;
import dev.postern.config.Settings;
import dev.postern.console.BacktestRunner;
import dev.postern.requests.Backtest;
import dev.postern.requests.Backtest.Summary;
import dev.postern.requests.OutcomeDifference;
import dev.postern.requests.PayloadQueries;
import dev.postern.requests.RequestQueries;
import dev.postern.store.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A runner of the console's backtests. Each has mappings and scripts of its own, beside those of the hooks. */
final class ConsoleBacktestRunner implements BacktestRunner {

    private final Settings running;
    private final DeliveryLookup deliveryLookup;
    private final Backtest backtest;
    private final Semaphore permit = new Semaphore(1);

    ConsoleBacktestRunner(
            Settings running,
            DeliveryLookup deliveryLookup,
            RequestQueries requestQueries,
            PayloadQueries payloadQueries) {
        this.running = running;
        this.deliveryLookup = deliveryLookup;
        this.backtest = new Backtest(requestQueries, payloadQueries, System::nanoTime);
    }

    @Override
    public BacktestResult run(Instant since, @Nullable String mapping, @Nullable ConfigurationResult changed)
            throws StoreException {
        if (changed instanceof Rejected rejected) {
            return new Unusable(CompiledMappingFactory.problems(rejected));
        }
        if (!permit.tryAcquire()) {
            return new Busy();
        }
        try (BacktestConfiguration before = BacktestConfiguration.of(running, deliveryLookup);
                BacktestConfiguration after = BacktestConfiguration.ofNullable(
                        changed instanceof Configured configured ? configured.settings() : null, deliveryLookup)) {
            List<String> problems = BacktestConfiguration.mappingProblems(mapping, before, after);
            return problems.isEmpty() ? run(since, mapping, before, after) : new Unusable(problems);
        } catch (StartException e) {
            return new Unusable(e.report().problems());
        } finally {
            permit.release();
        }
    }

    private Compared run(
            Instant since,
            @Nullable String mapping,
            BacktestConfiguration before,
            @Nullable BacktestConfiguration after)
            throws StoreException {
        Backtest.Scope scope = new Backtest.Scope(since, mapping, MOST_REQUESTS, LONGEST);
        ShownChanges shown = new ShownChanges();
        Summary summary =
                after == null ? backtest.run(scope, null, before, shown) : backtest.run(scope, before, after, shown);
        return new Compared(
                summary.requests(),
                summary.changed(),
                summary.unreadable(),
                summary.problem(),
                summary.cut(),
                shown.changes);
    }

    /** The changed requests that are shown, up to both limits. */
    private static final class ShownChanges implements Consumer<Backtest.ChangedRequest> {

        private final List<ChangedRequest> changes = new ArrayList<>();
        private int characters;

        @Override
        public void accept(Backtest.ChangedRequest changed) {
            int size = changed.differences().stream()
                    .mapToInt(ShownChanges::characters)
                    .sum();
            if (changes.size() < MOST_CHANGES && characters + size <= MOST_CHARACTERS) {
                characters += size;
                changes.add(new ChangedRequest(
                        String.valueOf(changed.request().requestId()),
                        changed.request().at(),
                        changed.request().hook(),
                        changed.differences()));
            }
        }

        private static int characters(OutcomeDifference difference) {
            return difference.field().length()
                    + length(difference.before())
                    + length(difference.after())
                    + difference.diff().stream().mapToInt(String::length).sum();
        }

        private static int length(@Nullable String text) {
            return text == null ? 0 : text.length();
        }
    }
}
