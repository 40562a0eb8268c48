package dev.postern.app;

import dev.postern.acceptance.DeliveryLookup;
import dev.postern.channel.Channel.Probe;
import dev.postern.channel.vendor.ChannelFactory;
import dev.postern.config.ConfigurationLoader;
import dev.postern.config.ConfigurationProblems;
import dev.postern.config.ConfigurationResult;
import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.config.ConfigurationResult.Rejected;
import dev.postern.config.HookSettings;
import dev.postern.config.MailboxSettings;
import dev.postern.config.MappingSettings;
import dev.postern.config.OperatorPassword;
import dev.postern.config.ProcessEnvironment;
import dev.postern.config.Settings;
import dev.postern.console.ConfigurationChecker;
import dev.postern.console.ConfigurationChecker.Findings;
import dev.postern.ingress.RequestPreview;
import dev.postern.mail.MailException;
import dev.postern.mail.Mailbox;
import dev.postern.mapping.HookRegistry;
import dev.postern.mapping.HookRegistry.Compilation;
import dev.postern.mapping.HookRegistry.Trial;
import dev.postern.mapping.MappingResult;
import dev.postern.mapping.script.ScriptRegistry;
import dev.postern.model.DatabaseUrl;
import dev.postern.model.HookResult;
import dev.postern.model.IdGenerator;
import dev.postern.net.HttpConnections;
import dev.postern.policy.Policy;
import dev.postern.store.DatabaseProbe;
import dev.postern.store.StoreException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The command {@code check}, which reports everything that a start would find wrong with the configuration. */
public final class CheckCommand {

    /**
     * The largest payload that a preset's sender documents, in bytes: GitHub in "Webhook events and payloads", GitLab in
     * "Instance limits" ({@code webhook payload size}), Sentry in "Quotas: size limits" of an event.
     */
    private static final Map<String, Integer> LARGEST_PAYLOADS =
            Map.of("github", 25_000_000, "gitlab", 25_000_000, "sentry", 1_000_000);

    private static final String PROBLEM = "problem";
    private static final String GOOD = "ok";

    private final Report report;
    private boolean valid = true;

    private CheckCommand(Report report) {
        this.report = report;
    }

    /** A receiver of findings. */
    private interface Report {

        /**
         * Reports a finding.
         *
         * @param kind {@code problem}, {@code warning}, {@code replies}, {@code ok} or {@code not asked}
         * @param line the finding
         */
        void tell(String kind, String line);
    }

    /**
     * Checks this process's configuration, its templates, its scripts and its samples, and reports to {@code out}. Changes
     * nothing, and sends no message.
     *
     * @param online Postern's version, to ask the database, the channels' services and the mail server whether the
     *     credentials work; null for not asking
     * @return 0 if a start would work, else 1
     */
    public static int run(PrintStream out, @Nullable String online) {
        ConfigurationResult configuration = new ConfigurationLoader(ProcessEnvironment.ofProcess(name -> null))
                .load(ConfigurationLoader.Mode.CHECK);
        return run(configuration, out, online);
    }

    static int run(ConfigurationResult configuration, PrintStream out, @Nullable String online) {
        CheckCommand check = new CheckCommand((kind, line) -> out.println(kind + ": " + line));
        check.configuration(configuration);
        if (configuration instanceof Configured configured) {
            check.operatorPassword(configured.settings());
            check.payloadKey(configured.settings());
            if (online != null) {
                check.database(configured.settings());
                MailboxSettings mailbox = configured.settings().hooks().mailbox();
                check.channels(configured.settings().channels(), mailbox, online);
                check.mailbox(mailbox);
            }
            if (check.valid) {
                ReplyTargetList.lines(configured.settings()).forEach(line -> check.report.tell("replies", line));
                check.sizes(configured.settings().hooks());
                check.report.tell(GOOD, configured.summary());
            }
        } else if (configuration instanceof Rejected rejected && online != null) {
            check.channels(rejected.withoutAccount(), null, online);
        }
        return check.valid ? 0 : 1;
    }

    /** Checks {@code configuration} without asking external services. Takes the time to compile the scripts. */
    static Findings of(ConfigurationResult configuration) {
        List<String> problems = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        new CheckCommand((kind, line) -> (kind.equals(PROBLEM) ? problems : warnings).add(line))
                .configuration(configuration);
        return new Findings(problems, warnings);
    }

    private void configuration(ConfigurationResult configuration) {
        configuration.warnings().forEach(warning -> warning(warning.toString()));
        if (configuration instanceof Rejected rejected) {
            CompiledMappingFactory.problems(rejected).forEach(this::problem);
        } else {
            mappings(((Configured) configuration).settings());
        }
    }

    /** Checks the login of {@code serve}, which a server that knows users does not need. */
    private void operatorPassword(Settings settings) {
        if (OperatorPassword.isNeeded(settings)) {
            ConfigurationProblems problems = new ConfigurationProblems();
            OperatorPassword.check(settings.home(), problems);
            problems.warnings().forEach(warning -> warning(warning.toString()));
            problems.problems().forEach(problem -> problem(problem.toString()));
        }
    }

    /** Checks the key of kept payloads, which a start reads even if it keeps none. */
    private void payloadKey(Settings settings) {
        try {
            var unused = PayloadKeyFile.existing(settings);
        } catch (StartException e) {
            e.report().problems().forEach(this::problem);
        }
    }

    /** Probes the configured database. The DataSource that a server binds is not available to a command. */
    private void database(Settings settings) {
        Settings.Database database = settings.database();
        try {
            report.tell(GOOD, "database: " + found(database, settings.home()));
        } catch (StoreException e) {
            problem("database: " + e.getMessage());
        }
    }

    private static String found(Settings.Database database, Path home) throws StoreException {
        String url = database.url();
        if (url == null) {
            return DatabaseProbe.sqlite(home.resolve("data").resolve("postern.db"), home);
        }
        return DatabaseUrl.of(url) instanceof DatabaseUrl.SqliteFile sqlite
                ? DatabaseProbe.sqlite(sqlite.file(), home)
                : DatabaseProbe.postgres(url, database.username(), database.password());
    }

    private void channels(Map<String, Settings.Channel> channels, @Nullable MailboxSettings mailbox, String version) {
        ExecutorService executor = Executors.newCachedThreadPool();
        try (HttpConnections connections = new HttpConnections(executor)) {
            MailboxLogin login = MailboxLogin.of(mailbox, connections, InstantSource.system());
            ChannelFactory.of(channels, login.ofChannels(), connections, null, InstantSource.system(), version)
                    .probe((id, probe) -> probed("channels." + id + ": ", probe));
        } finally {
            executor.shutdownNow();
        }
    }

    private void mailbox(@Nullable MailboxSettings watch) {
        if (watch == null) {
            return;
        }
        try {
            int mails = MailCommand.withMailbox(watch, Mailbox::count);
            report.tell(
                    GOOD,
                    "hooks.gmail: the login works (" + watch.label() + " holds " + CountText.of(mails, "mail") + ")");
        } catch (MailException e) {
            problem(("hooks.gmail: " + e.getMessage() + ". " + MailCommand.advice(watch, e)).strip());
        }
    }

    private void probed(String channel, Probe probe) {
        if (probe instanceof Probe.Bad bad) {
            problem(channel + bad.reason());
        } else if (probe instanceof Probe.Unasked unasked) {
            report.tell("not asked", channel + unasked.reason());
        } else if (probe instanceof Probe.Good good) {
            report.tell(
                    GOOD,
                    channel + "the credentials work" + (good.account() == null ? "" : " (" + good.account() + ")"));
        }
    }

    private void mappings(Settings settings) {
        InstantSource time = InstantSource.system();
        List<MappingSettings> configured = settings.hooks().mappings();
        try (ScriptRegistry scriptRegistry =
                ScriptRegistry.forTrials(settings.hooks().transformsRoot(), "postern-check", time)) {
            Compilation compilation =
                    HookRegistry.compile(configured, settings.hooks().withheldHeaders(), scriptRegistry);
            compilation.warnings().forEach(this::warning);
            compilation.problems().forEach(this::problem);
            FixedRecipientCheck.problems(settings).forEach(this::problem);
            if (compilation.problems().isEmpty()) {
                RequestPreview preview = new RequestPreview(
                        compilation.mappings(),
                        new Policy(settings, new IdGenerator(time), ConfiguredRecipientForms.of(settings)),
                        DeliveryLookup.none(),
                        time);
                for (MappingSettings mapping : configured) {
                    Path sample = mapping.payload().sample();
                    if (sample != null) {
                        tryOut(preview, mapping, sample);
                    }
                }
            }
        }
    }

    private void tryOut(RequestPreview preview, MappingSettings mapping, Path sample) {
        String where = mapping.where() + ": the sample " + sample.getFileName();
        try {
            Trial trial = preview.tryOut(mapping.id(), Files.readAllBytes(sample));
            trial.gaps().forEach(this::warning);
            if (trial.mapped() instanceof MappingResult.Final last) {
                tell(where, last.result());
            }
        } catch (IOException e) {
            problem(where + " can't be read: " + e.getMessage());
        }
    }

    private void tell(String where, HookResult result) {
        if (result instanceof HookResult.Rejected rejected) {
            problem(where + ": " + rejected.rejection().sentence());
        } else if (result instanceof HookResult.ScriptFailed failed) {
            problem(where + ": " + failed.sentence() + (failed.detail().isEmpty() ? "" : " (" + failed.detail() + ")"));
        }
    }

    /** Tells of senders whose largest requests would be answered 413. */
    private void sizes(HookSettings hooks) {
        new TreeMap<>(LARGEST_PAYLOADS).forEach((preset, largest) -> {
            int maxBytes = hooks.bodies().maxBytes(preset);
            if (maxBytes < largest && hooks.mappings().stream().anyMatch(mapping -> isOf(preset, mapping))) {
                report.tell(
                        "size",
                        preset + ": the sender's requests may have " + largest + " bytes, and hooks.maxBodyBytes takes "
                                + maxBytes + "; a larger request is answered 413");
            }
        });
    }

    private static boolean isOf(String preset, MappingSettings mapping) {
        return mapping.where().startsWith("preset " + preset + ":");
    }

    private void warning(String line) {
        report.tell("warning", line);
    }

    private void problem(String line) {
        valid = false;
        report.tell(PROBLEM, line);
    }

    /**
     * A checker that reads the configuration of a running Postern again, and changes nothing.
     *
     * @param contextParam {@code ServletContext::getInitParameter}
     */
    record ConfigurationRecheck(Function<String, @Nullable String> contextParam) implements ConfigurationChecker {

        @Override
        public ConfigurationResult now() {
            return new ConfigurationLoader(ProcessEnvironment.ofProcess(contextParam))
                    .load(ConfigurationLoader.Mode.CHECK);
        }

        @Override
        public ConfigurationResult with(String text) {
            return new ConfigurationLoader(ProcessEnvironment.ofProcess(contextParam)).loadText(text);
        }

        @Override
        public Findings findings(ConfigurationResult configuration) {
            return of(configuration);
        }
    }
}
