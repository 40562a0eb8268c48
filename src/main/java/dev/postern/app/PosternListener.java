package dev.postern.app;

import dev.postern.config.Configuration;
import dev.postern.config.Configuration.Configured;
import dev.postern.config.Configuration.Refused;
import dev.postern.config.Configuration.SetUp;
import dev.postern.config.ConfigurationLoader;
import dev.postern.config.Environment;
import dev.postern.config.Settings;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * Starts Postern with its web application and ends it with it. A Postern that can't start is deployed all the same and says
 * why at every path, so that a typo never takes the server down.
 */
public final class PosternListener implements ServletContextListener {

    /** Read by the launcher of {@code java -jar}: what follows the address in the line that says we are ready. */
    static final String READY = "dev.postern.ready";
    /** Read by the launcher of {@code java -jar} after a first start: a command to try, with {@code {base}} for the address. */
    static final String TRY = "dev.postern.try";
    /** Read by the launcher of {@code java -jar}, which then says it: why we are not. */
    static final String PROBLEMS = "dev.postern.problems";
    /** Set by the launcher of {@code java -jar}: it is there, knows its address, and speaks to the operator itself. */
    static final String LAUNCHED = "dev.postern.launched";

    private static final System.Logger LOG = System.getLogger(PosternListener.class.getName());

    private @Nullable Postern postern;

    /** Made by the container. */
    public PosternListener() {}

    @Override
    public void contextInitialized(ServletContextEvent event) {
        ServletContext context = event.getServletContext();
        Configuration configuration = new ConfigurationLoader(Environment.ofProcess(context::getInitParameter))
                .load(ConfigurationLoader.Mode.SERVE);
        configuration.warnings().forEach(warning -> LOG.log(Level.WARNING, warning.toString()));
        if (configuration instanceof Refused refused) {
            refuse(context, MappedHooks.problems(refused));
        } else {
            start(context, (Configured) configuration);
        }
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        if (postern != null) {
            postern.close();
            postern = null;
        }
    }

    private void start(ServletContext context, Configured configured) {
        Settings settings = configured.settings();
        try {
            postern = Postern.start(settings, context.getContextPath(), version(context), ContainerResources.lookUp());
        } catch (StartFailure e) {
            LOG.log(Level.DEBUG, "The start was given up", e);
            refuse(context, e.problems());
            return;
        } catch (RuntimeException e) { // a server's DataSource may throw anything; the text may hold its password
            LOG.log(Level.ERROR, "The start failed", e);
            String fault = e.getClass().getSimpleName();
            refuse(context, List.of("the start failed (" + fault + "); the log has its stack trace"));
            return;
        }
        Mount.running(context, postern, settings);
        LOG.log(Level.INFO, configured.summary());
        configured.setUp().ifPresent(setUp -> introduce(context, setUp, settings));
        String hooks = settings.hooks().enabled() ? settings.hooks().path() : " without hooks: hooks.enabled is false";
        context.setAttribute(READY, hooks + " (home " + settings.home() + ")");
    }

    /** Ours, from the manifest of the WAR. */
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

    private static void refuse(ServletContext context, List<String> problems) {
        if (context.getAttribute(LAUNCHED) == null) {
            problems.forEach(problem -> LOG.log(Level.ERROR, problem));
        }
        Mount.refused(context, problems);
        context.setAttribute(PROBLEMS, problems);
    }

    private static void introduce(ServletContext context, SetUp setUp, Settings settings) {
        LOG.log(
                Level.INFO,
                "A new home was set up: the settings are in {0}, the hook token is in {1}",
                setUp.file(),
                setUp.tokenFile());
        String command = "curl -H \"Authorization: Bearer $(cat '" + setUp.tokenFile()
                + "')\" -d '{\"text\":\"it works\"}' {base}" + settings.hooks().path() + "/wake";
        if (context.getAttribute(LAUNCHED) == null) {
            // Servers don't tell a web application where they listen.
            LOG.log(
                    Level.INFO,
                    "Try it, with this server's address in place of localhost:8080: "
                            + command.replace("{base}", "http://localhost:8080" + context.getContextPath()));
        } else {
            context.setAttribute(TRY, command);
        }
    }
}
