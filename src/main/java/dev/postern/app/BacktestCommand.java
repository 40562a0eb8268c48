package dev.postern.app;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.postern.acceptance.DeliveryLookup;
import dev.postern.config.ConfigurationLoader;
import dev.postern.config.ConfigurationResult;
import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.config.ConfigurationResult.Rejected;
import dev.postern.config.ProcessEnvironment;
import dev.postern.config.Settings;
import dev.postern.model.DurationText;
import dev.postern.model.VisibleText;
import dev.postern.requests.Backtest;
import dev.postern.requests.Backtest.ChangedRequest;
import dev.postern.requests.Backtest.Summary;
import dev.postern.requests.OutcomeDifference;
import dev.postern.requests.PayloadQueries;
import dev.postern.requests.RequestQueries;
import dev.postern.store.ReadOnlyStore;
import dev.postern.store.StoreException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The command {@code backtest}, which puts past requests through a changed configuration and shows what would be different.
 * It performs no action, writes nothing, and may run beside a running Postern.
 */
public final class BacktestCommand {

    private static final int SAME = 0;
    private static final int CHANGED = 1;
    private static final int UNUSABLE = 2;
    private static final String DEFAULT_SINCE = "24h";
    private static final Duration LONGEST = Duration.ofDays(1);

    private final PrintStream out;
    private final PrintStream err;
    private final InstantSource clock = InstantSource.system();

    private BacktestCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /**
     * Runs a backtest of this process's configuration.
     *
     * @param out gets the changed requests and a summary, as text or as one JSON object
     * @param err gets the reasons why nothing could be tested
     * @param options {@code since}, {@code mapping}, {@code config} and {@code json}, each of which may be missing
     * @return 0 if nothing would change, 1 if something would, 2 if that can't be told
     */
    public static int run(PrintStream out, PrintStream err, Map<String, String> options) {
        return run(out, err, options, new ConfigurationLoader(ProcessEnvironment.ofProcess(name -> null)));
    }

    /** As {@link #run(PrintStream, PrintStream, Map)}, of the configuration of {@code loader}. */
    static int run(PrintStream out, PrintStream err, Map<String, String> options, ConfigurationLoader loader) {
        try {
            int exit = new BacktestCommand(out, err).run(options, loader);
            if (out.checkError()) { // a PrintStream throws nothing
                throw new UnusableException(List.of("the result can't be printed"));
            }
            return exit;
        } catch (UnusableException e) {
            e.problems.forEach(problem -> err.println("problem: " + problem));
            return UNUSABLE;
        }
    }

    private int run(Map<String, String> options, ConfigurationLoader loader) throws UnusableException {
        Instant since = since(options.getOrDefault("since", DEFAULT_SINCE));
        Settings home = settings(loader.load(ConfigurationLoader.Mode.CHECK));
        Settings.Database database = home.database();
        // Without a database, mistakes in another configuration are not worth listing.
        try (ReadOnlyStore store =
                ReadOnlyStore.open(database.url(), database.username(), database.password(), home.home())) {
            @Nullable String config = options.get("config");
            @Nullable Settings changed = config == null ? null : settings(loader.loadInstead(file(config)));
            return run(store, home, changed, since, options);
        } catch (StoreException e) {
            throw new UnusableException(List.of(String.valueOf(e.getMessage())));
        }
    }

    private int run(
            ReadOnlyStore store, Settings home, @Nullable Settings changed, Instant since, Map<String, String> options)
            throws UnusableException, StoreException {
        @Nullable String mapping = options.get("mapping");
        Backtest.Scope scope = new Backtest.Scope(since, mapping, Integer.MAX_VALUE, LONGEST);
        try (BacktestConfiguration running = BacktestConfiguration.of(home, DeliveryLookup.in(store));
                BacktestConfiguration other = BacktestConfiguration.ofNullable(changed, DeliveryLookup.in(store))) {
            List<String> problems = BacktestConfiguration.mappingProblems(mapping, running, other);
            if (!problems.isEmpty()) {
                throw new UnusableException(problems.stream().map("--"::concat).toList());
            }
            PayloadQueries payloads = new PayloadQueries(
                    store, PayloadKeyFile.existing(home), home.requests().payloadsFor(), clock);
            Backtest backtest = new Backtest(new RequestQueries(store), payloads, System::nanoTime);
            try (Report report =
                    options.containsKey("json") ? new JsonReport(out, since) : new TextReport(out, since)) {
                Summary summary = other == null
                        ? backtest.run(scope, null, running, report)
                        : backtest.run(scope, running, other, report);
                report.end(summary);
                return exitCode(summary);
            }
        } catch (StartException e) {
            throw new UnusableException(e.report().problems());
        } catch (IOException e) {
            throw new UncheckedIOException("the result could not be written", e);
        }
    }

    private int exitCode(Summary summary) {
        if (summary.problem() != null) {
            err.println("warning: " + CountText.of(summary.unreadable(), "payload") + " can't be decrypted. "
                    + summary.problem());
        }
        if (summary.cut() != null) {
            err.println("warning: the backtest took too long; requests before " + summary.cut() + " are left out.");
        }
        if (summary.requests() == 0) {
            err.println("warning: no payload of such a request is kept. Set requests.payloads to all, to keep them.");
        }
        boolean blind = summary.requests() == 0 && summary.unreadable() > 0;
        return blind ? UNUSABLE : summary.changed() > 0 ? CHANGED : SAME;
    }

    private Instant since(String text) throws UnusableException {
        try {
            Optional<Duration> ago = DurationText.read(text);
            return ago.isPresent()
                    ? clock.instant().minus(ago.get()).truncatedTo(ChronoUnit.SECONDS)
                    : Instant.parse(text);
        } catch (DateTimeException | ArithmeticException e) {
            throw new UnusableException(List.of("--since is [" + text
                    + "]; write a duration such as 24h or 7d, or a time" + " such as 2026-01-31T14:05:00Z"));
        }
    }

    private static Path file(String name) throws UnusableException {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new UnusableException(List.of("--config is [" + name + "], which is no path"));
        }
    }

    private static Settings settings(ConfigurationResult configuration) throws UnusableException {
        if (configuration instanceof Rejected rejected) {
            throw new UnusableException(CompiledMappingFactory.problems(rejected));
        }
        return ((Configured) configuration).settings();
    }

    /** An exception for a backtest that can't be run. */
    private static final class UnusableException extends Exception {

        private final transient List<String> problems;

        private UnusableException(List<String> problems) {
            super(String.join("; ", problems));
            this.problems = problems;
        }
    }

    /** A report of a backtest. */
    private interface Report extends Consumer<ChangedRequest>, AutoCloseable {

        void end(Summary summary) throws IOException;

        @Override
        void close() throws IOException;
    }

    /** A report for people. What a terminal would act on is shown as a code. */
    private record TextReport(PrintStream out, Instant since) implements Report {

        @Override
        public void accept(ChangedRequest changed) {
            line(changed.request().at() + " " + changed.request().requestId() + " "
                    + changed.request().hook());
            for (OutcomeDifference difference : changed.differences()) {
                if (difference.diff().isEmpty()) {
                    line("  " + difference.field() + ": " + told(difference.before()) + " -> "
                            + told(difference.after()));
                } else {
                    line("  " + difference.field() + ":");
                    difference.diff().forEach(each -> line("    " + each));
                }
            }
            out.println();
        }

        private static String told(@Nullable String value) {
            return value == null ? "(none)" : value;
        }

        private void line(String text) {
            out.println(VisibleText.text(text));
        }

        @Override
        public void end(Summary summary) {
            out.println(CountText.of(summary.changed(), "request") + " of " + summary.requests() + " since " + since
                    + " would change.");
        }

        @Override
        public void close() {
            out.flush();
        }
    }

    /** A report for programs. */
    private static final class JsonReport implements Report {

        private final JsonGenerator json;

        private JsonReport(PrintStream out, Instant since) throws IOException {
            ObjectMapper mapper = JsonMapper.builder()
                    .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
                    .build();
            json = mapper.createGenerator(out).useDefaultPrettyPrinter();
            json.configure(JsonGenerator.Feature.AUTO_CLOSE_TARGET, false);
            json.writeStartObject();
            json.writeStringField("since", since.toString());
            json.writeArrayFieldStart("changes");
        }

        @Override
        public void accept(ChangedRequest changed) {
            try {
                json.writeStartObject();
                json.writeStringField("requestId", changed.request().requestId());
                json.writeStringField("at", changed.request().at().toString());
                json.writeStringField("hook", changed.request().hook());
                json.writeArrayFieldStart("differences");
                for (OutcomeDifference difference : changed.differences()) {
                    write(difference);
                }
                json.writeEndArray();
                json.writeEndObject();
            } catch (IOException e) {
                throw new UncheckedIOException("the result could not be written", e);
            }
        }

        private void write(OutcomeDifference difference) throws IOException {
            json.writeStartObject();
            json.writeStringField("field", difference.field());
            if (difference.diff().isEmpty()) {
                json.writeStringField("before", difference.before());
                json.writeStringField("after", difference.after());
            } else {
                json.writeArrayFieldStart("diff");
                for (String line : difference.diff()) {
                    json.writeString(line);
                }
                json.writeEndArray();
            }
            json.writeEndObject();
        }

        @Override
        public void end(Summary summary) throws IOException {
            json.writeEndArray();
            json.writeNumberField("requests", summary.requests());
            json.writeNumberField("changed", summary.changed());
            json.writeNumberField("unreadable", summary.unreadable());
            json.writeEndObject();
            json.writeRaw('\n');
        }

        @Override
        public void close() throws IOException {
            json.close();
        }
    }
}
