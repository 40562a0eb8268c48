package dev.postern.app;

import dev.postern.agent.ProgramLauncher;
import dev.postern.config.ConfigurationLoader;
import dev.postern.config.ConfigurationProblem;
import dev.postern.config.ConfigurationProblems;
import dev.postern.config.ConfigurationResult;
import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.config.ConfigurationResult.Rejected;
import dev.postern.config.OperatorPassword;
import dev.postern.config.ProcessEnvironment;
import dev.postern.config.Settings;
import dev.postern.console.RunningInstance;
import dev.postern.model.DurationFormatter;
import dev.postern.observe.StartFailureReport;
import dev.postern.store.AlreadyInUseException;
import dev.postern.store.StoreUnavailableException;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The servlet context listener that starts Postern with its web application and stops it with it:
 *
 * <ol>
 *   <li>reads the configuration
 *   <li>makes the {@link CoreServices}, which need no database
 *   <li>looks up the {@link ContainerResources}
 *   <li>has the {@link PosternStarter} open the database and make the {@link Postern}
 *   <li>shows each state of the start in the log and, by {@link ServletRegistrations}, at every path
 * </ol>
 *
 * <p>A Postern that can't start is deployed all the same and says why at every path, so that a typo never takes the server
 * down. If its database is away or another Postern uses its home, it starts as soon as that changes.
 */
public final class PosternListener implements ServletContextListener {

    /**
     * The attribute with a {@code CompletableFuture<Map<String, String>>} by which the listener reports the start to the
     * launcher of {@code java -jar}. The launcher sets it, since it knows its address and speaks to the operator itself. The
     * map has {@code ready}, the end of the line that says we are ready, after the address. It may have {@code message}, a
     * text for the log, with {@code {base}} for the address. If a page needs a login it has {@code password}, the
     * operator's. A failure's message is the problems, a line each.
     */
    static final String LAUNCHED = "dev.postern.launched";

    /**
     * The attribute with a {@code Consumer<List<String>>} that takes the networks of trusted proxies, in CIDR notation. The
     * launcher of {@code java -jar} sets it. The consumer is called before the first request.
     */
    static final String PROXIES = "dev.postern.proxies";

    private static final System.Logger LOG = System.getLogger(PosternListener.class.getName());

    private final CloseableStack closeableStack = new CloseableStack();

    /** Made by the container. */
    public PosternListener() {}

    @Override
    public void contextInitialized(ServletContextEvent event) {
        JacksonBufferCleanup.track();
        ServletContext context = event.getServletContext();
        ConfigurationResult configuration = new ConfigurationLoader(
                        ProcessEnvironment.ofProcess(context::getInitParameter))
                .load(ConfigurationLoader.Mode.SERVE);
        configuration.warnings().forEach(warning -> LOG.log(Level.WARNING, warning.toString()));
        if (configuration instanceof Rejected rejected) {
            refuse(context, StartFailureReport.ofSettings(CompiledMappingFactory.problems(rejected)));
        } else {
            Configured configured = (Configured) configuration;
            passTrustedProxies(context, configured.settings().server().trustedProxies());
            start(context, configured);
        }
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        LOG.log(Level.INFO, "Postern is stopping");
        long begun = System.nanoTime();
        closeableStack.close();
        JacksonBufferCleanup.release();
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        LOG.log(Level.INFO, "Postern has stopped after {0}", DurationFormatter.of(took));
    }

    @SuppressWarnings("unchecked") // the launcher is ours
    private static void passTrustedProxies(ServletContext context, List<String> proxies) {
        Consumer<List<String>> server = (Consumer<List<String>>) context.getAttribute(PROXIES);
        if (server != null) {
            server.accept(proxies);
        } else if (!proxies.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "server.trustedProxies applies to java -jar only and has no effect here; configure the trusted"
                            + " proxies in this server (deploy-descriptors/ shows how for each server)");
        }
    }

    private void start(ServletContext context, Configured configured) {
        try {
            CoreServices ground =
                    closeableStack.with(CoreServices.create(configured.settings(), context.getContextPath()));
            StartAnnouncement announcement =
                    new StartAnnouncement(configured, password(context, configured.settings()));
            StartReporter startReporter =
                    closeableStack.with(new StartReporter(context, configured, ground, announcement));
            RunningInstance runningInstance = new RunningInstance(
                    version(context),
                    configured,
                    new CheckCommand.ConfigurationRecheck(context::getInitParameter),
                    ground.time().instant());
            PosternStarter posternStarter =
                    new PosternStarter(ground, runningInstance, ContainerResources.lookUp(), startReporter);
            closeableStack.with(posternStarter::end);
            posternStarter.begin();
        } catch (StartException e) {
            LOG.log(Level.DEBUG, "Start aborted", e);
            refuse(context, e.report());
        } catch (RuntimeException e) { // what a server has bound may throw anything when it is looked up
            refuse(context, StartException.unforeseen(e).report());
        }
    }

    /**
     * The operator's password; null if nothing needs one.
     *
     * @throws StartException if it can't be read or made
     */
    private static @Nullable OperatorPassword password(ServletContext context, Settings settings)
            throws StartException {
        if (launcher(context) == null || !OperatorPassword.isNeeded(settings)) {
            return null;
        }
        ConfigurationProblems problems = new ConfigurationProblems();
        return OperatorPassword.in(settings.home(), problems)
                .orElseThrow(() -> new StartException(StartFailureReport.ofSettings(problems.problems().stream()
                        .map(ConfigurationProblem::toString)
                        .toList())));
    }

    /** A listener that shows the states of a start in the log and at the web application's paths. */
    private static final class StartReporter implements PosternStarter.StartListener, AutoCloseable {

        /** The most reasons that are logged, for a disk that fills up and empties repeatedly. */
        private static final int MOST_REASONS = 10;

        private final ServletContext context;
        private final Configured configured;
        private final CoreServices coreServices;
        private final StartAnnouncement announcement;
        private final Instant begun;

        /** The logged reasons for waiting, with each number replaced by 0. */
        private final Set<String> loggedReasons = new HashSet<>();

        private @Nullable ServletRegistrations servletRegistrations;
        private @Nullable StartFailureReport shown;

        StartReporter(
                ServletContext context, Configured configured, CoreServices ground, StartAnnouncement announcement) {
            this.context = context;
            this.configured = configured;
            this.coreServices = ground;
            this.announcement = announcement;
            this.begun = ground.time().instant();
        }

        /** With {@code java -jar} the start fails if another Postern uses the home: its operator has forgotten that one. */
        @Override
        public boolean shouldRetry(StoreUnavailableException why) {
            String message = String.valueOf(why.getMessage());
            boolean occupied = why instanceof AlreadyInUseException;
            StartFailureReport report = occupied
                    ? new StartFailureReport(List.of(message), "another Postern still uses its home or its database")
                    : StartFailureReport.of("the database can't be opened now; the log says more");
            if (occupied && launcher(context) != null) {
                failed(report);
                return false;
            }
            if (loggedReasons.size() < MOST_REASONS && loggedReasons.add(message.replaceAll("[0-9]+", "0"))) {
                LOG.log(
                        Level.WARNING,
                        "Postern is waiting to start; retrying every {0}: {1}",
                        why.retryAfter().toSeconds() == 1 ? "second" : DurationFormatter.of(why.retryAfter()),
                        message);
            }
            if (!report.equals(shown)) {
                shown = report;
                registrations().waiting(report);
            }
            return true;
        }

        @Override
        public void failed(StartFailureReport report) {
            if (servletRegistrations == null) {
                refuse(context, report);
            } else {
                tell(context, report);
                servletRegistrations.failed(report);
            }
        }

        @Override
        public void started(Postern postern) {
            @Nullable CompletableFuture<Map<String, String>> launcher = launcher(context);
            registrations().running(postern, launcher != null);
            if (!loggedReasons.isEmpty()) {
                LOG.log(
                        Level.INFO,
                        "Postern started after waiting {0}",
                        DurationFormatter.of(
                                Duration.between(begun, coreServices.time().instant())));
            }
            LOG.log(Level.INFO, configured.summary(postern.database()));
            Settings settings = configured.settings();
            if (startsPrograms(settings)) {
                LOG.log(
                        Level.INFO,
                        ProgramLauncher.groupDirectory()
                                .map(parent -> "Each program gets a control group of its own in " + parent)
                                .orElse("Programs run without control groups: Postern has no writable control group"));
            }
            if (launcher != null) {
                launcher.complete(announcement.launcherWords());
            } else {
                announcement.serverText(context.getContextPath()).ifPresent(text -> LOG.log(Level.INFO, text));
            }
        }

        @Override
        public void close() {
            if (servletRegistrations != null) {
                servletRegistrations.close();
            }
        }

        private static boolean startsPrograms(Settings settings) {
            return Stream.concat(
                            settings.providers().values().stream().map(Settings.Provider::command),
                            settings.mcp().values().stream().map(Settings.McpServer::command))
                    .anyMatch(command -> !command.isEmpty());
        }

        private ServletRegistrations registrations() {
            if (servletRegistrations == null) {
                servletRegistrations = new ServletRegistrations(context, coreServices);
            }
            return servletRegistrations;
        }
    }

    /** Postern's version, from the manifest of the WAR. */
    private static String version(ServletContext context) {
        try (InputStream manifest = context.getResourceAsStream("/META-INF/MANIFEST.MF")) {
            String version = manifest == null
                    ? null
                    : new Manifest(manifest).getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION);
            return version == null ? "unpackaged" : version;
        } catch (IOException unreadable) {
            LOG.log(Level.DEBUG, "The manifest can't be read", unreadable);
            return "unpackaged";
        }
    }

    private static void refuse(ServletContext context, StartFailureReport report) {
        tell(context, report);
        ServletRegistrations.refused(context, report);
    }

    private static void tell(ServletContext context, StartFailureReport report) {
        @Nullable CompletableFuture<Map<String, String>> launcher = launcher(context);
        if (launcher == null) {
            report.problems().forEach(problem -> LOG.log(Level.ERROR, problem));
        } else {
            launcher.completeExceptionally(new IllegalStateException(String.join("\n", report.problems())));
        }
    }

    @SuppressWarnings("unchecked") // the launcher is ours
    private static @Nullable CompletableFuture<Map<String, String>> launcher(ServletContext context) {
        return (CompletableFuture<Map<String, String>>) context.getAttribute(LAUNCHED);
    }
}
