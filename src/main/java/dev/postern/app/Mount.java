package dev.postern.app;

import dev.postern.config.Settings;
import dev.postern.config.Settings.Access;
import dev.postern.http.FiguresPage;
import dev.postern.http.HealthPage;
import dev.postern.http.NotStarted;
import dev.postern.http.NothingHere;
import dev.postern.observe.Health;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.util.EnumSet;
import java.util.List;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

/** Which of our servlets answers which path of the web application. */
final class Mount {

    private final ServletContext context;

    private Mount(ServletContext context) {
        this.context = context;
    }

    /** Mounts what a running {@code postern} answers with. */
    static void running(ServletContext context, Postern postern, Settings settings) {
        Mount mount = new Mount(context);
        mount.servlet("postern-health", new HealthPage(postern.health()), "/health/*");
        mount.servlet("postern-nothing", new NothingHere(), "/");
        if (settings.metrics() != Access.OFF) {
            mount.servlet("postern-metrics", new FiguresPage(postern.figures(), settings.metrics()), "/metrics");
        }
        if (settings.hooks().enabled()) {
            mount.hooks(postern, settings.hooks().path() + "/*");
        }
    }

    /** Mounts what says why there is no running Postern. */
    static void refused(ServletContext context, List<String> problems) {
        Mount mount = new Mount(context);
        mount.servlet("postern-health", new HealthPage(Health.notStarted(problems)), "/health/*");
        mount.servlet("postern-refused", new NotStarted(problems), "/");
    }

    private void hooks(Postern postern, String pattern) {
        FilterRegistration.Dynamic filter = context.addFilter("postern-gate", postern.hookFilter());
        filter.setAsyncSupported(true);
        filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), false, pattern);
        servlet(
                "postern-hooks",
                new ServletContainer(ResourceConfig.forApplication(postern.hookApplication())),
                pattern);
    }

    private void servlet(String name, Servlet servlet, String pattern) {
        ServletRegistration.Dynamic registration = context.addServlet(name, servlet);
        registration.setAsyncSupported(true);
        registration.setLoadOnStartup(1);
        registration.addMapping(pattern);
    }
}
