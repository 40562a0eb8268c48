package dev.postern.app;

import dev.postern.access.ContainerAuthenticator;
import dev.postern.access.LocalRequestRule;
import dev.postern.config.Settings;
import dev.postern.config.Settings.Access;
import dev.postern.console.Console;
import dev.postern.http.AmbiguousPathFilter;
import dev.postern.http.BodyFilter;
import dev.postern.http.MetricsText;
import dev.postern.http.NotFoundServlet;
import dev.postern.http.ResponseRecorder;
import dev.postern.http.RestApplication;
import dev.postern.http.RestServlet;
import dev.postern.http.StartFailureServlet;
import dev.postern.http.StatusResource;
import dev.postern.http.SwappableServlet;
import dev.postern.observe.StartFailureReport;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.SessionCookieConfig;
import jakarta.servlet.SessionTrackingMode;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The registrations of Postern's servlets and filters at the paths of the web application. The paths are registered while the
 * web application starts; the servlets behind them may change later.
 */
final class ServletRegistrations implements AutoCloseable {

    private static final String HEALTH = "postern-health";
    private static final String REST = "postern-rest";
    private static final String METRICS = "postern-metrics";
    private static final String CONSOLE = "postern-console";

    /** The dispatches of a request: as it arrives, and again when its body is complete. */
    private static final EnumSet<DispatcherType> REQUEST_AND_ASYNC =
            EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC);

    /** The paths for which servers have servlets of their own. */
    private static final String[] JSP_PATHS = {"*.jsp", "*.jspx"};

    /** All other paths, and those. */
    private static final String[] ELSEWHERE = {"/", JSP_PATHS[0], JSP_PATHS[1]};

    private final ServletContext context;
    private final Settings settings;
    private final ContainerAuthenticator login;
    private final ResponseRecorder responseRecorder;
    private final SwappableServlet health;
    private final List<SwappableServlet> others = new ArrayList<>();
    private final SwappableServlet rest;
    private final Optional<SwappableServlet> metrics;
    private final Optional<SwappableServlet> hooks;
    private final Optional<SwappableServlet> console;
    private final BodyFilter consoleBodies;

    /** Registers the paths for a Postern on {@code ground}; they answer 404 until a state is shown. */
    ServletRegistrations(ServletContext context, CoreServices ground) {
        this.context = context;
        this.settings = ground.settings();
        this.login = ground.login();
        this.responseRecorder = ground.responseRecorder();
        rejectAmbiguousPaths(context, ground.bodies().notFound());
        this.health = swappableServlet(HEALTH, "/health/*");
        this.rest = other(REST, ELSEWHERE);
        answerJspPaths(context, ground.bodies().notFound());
        this.metrics = settings.metrics() == Access.OFF ? Optional.empty() : Optional.of(other(METRICS, "/metrics"));
        this.console = settings.console() == Access.OFF ? Optional.empty() : Optional.of(console());
        this.consoleBodies = new BodyFilter(ground.bodies(), ground.responseRecorder());
        if (console.isPresent()) {
            filter("postern-console-bodies", consoleBodies)
                    .addMappingForServletNames(REQUEST_AND_ASYNC, false, CONSOLE);
        }
        FilterRegistration.Dynamic none =
                filter("postern-bodies", new BodyFilter(ground.bodies(), ground.responseRecorder()));
        none.addMappingForServletNames(REQUEST_AND_ASYNC, false, HEALTH, REST);
        if (metrics.isPresent()) {
            none.addMappingForServletNames(REQUEST_AND_ASYNC, false, METRICS);
        }
        this.hooks = settings.hooks().enabled() ? Optional.of(hooks(ground)) : Optional.empty();
    }

    /** Shows at every path of a web application with invalid settings what to fix. */
    static void refused(ServletContext context, StartFailureReport report) {
        rejectAmbiguousPaths(context, NotFoundServlet.chain());
        add(context, HEALTH, status(() -> StatusResource.of(report)), "/health/*");
        StartFailureServlet refused = new StartFailureServlet(report::failure, false);
        add(context, "postern-refused", refused, ELSEWHERE);
        answerJspPaths(context, refused::service);
    }

    /** Shows at every path what the start waits for. */
    void waiting(StartFailureReport report) {
        notStarted(report, report::waiting, true);
    }

    /** Shows at every path what to fix. */
    void failed(StartFailureReport report) {
        notStarted(report, report::failure, false);
    }

    private void notStarted(StartFailureReport report, Function<Boolean, String> sentence, boolean retries) {
        switchTo(health, status(() -> StatusResource.of(report)));
        others.forEach(each -> switchTo(each, new StartFailureServlet(sentence, retries)));
        console.ifPresent(each -> switchTo(each, new RestServlet(() -> Console.notStarted(login, settings, sentence))));
    }

    private static Servlet status(Supplier<StatusResource> resource) {
        return new RestServlet(() -> RestApplication.withJson(resource.get(), new StatusResource.ReadOnlyFilter()));
    }

    /**
     * Puts the servlets of {@code postern} behind the paths.
     *
     * @param alone whether no other web application runs beside this one; then the root leads to the console
     */
    void running(Postern postern, boolean alone) {
        hooks.ifPresent(each -> switchTo(each, postern.hooks()));
        Servlet status = status(() -> StatusResource.of(
                postern.health(), new MetricsText(postern.metrics(), settings.metrics(), login, responseRecorder)));
        metrics.ifPresent(each -> switchTo(each, status));
        console.ifPresent(each -> switchTo(each, new RestServlet(postern.console()::components)));
        consoleBodies.limit(postern.console()::bodyLimit);
        switchTo(rest, new NotFoundServlet(request -> alone && showsConsole(request)));
        switchTo(health, status);
    }

    private boolean showsConsole(HttpServletRequest request) {
        return settings.console() == Access.VIEWER
                || (settings.console() == Access.LOCAL && LocalRequestRule.covers(request));
    }

    /** Destroys the servlets; has to be called after the last request. */
    @Override
    public void close() {
        others.forEach(SwappableServlet::close);
        health.close();
    }

    /** Rejects ambiguous paths before every other filter, since the others are matched after those declared elsewhere. */
    private static void rejectAmbiguousPaths(ServletContext context, FilterChain notFound) {
        FilterRegistration.Dynamic filter =
                context.addFilter("postern-paths", new AmbiguousPathFilter(context, notFound));
        filter.setAsyncSupported(true);
        filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
    }

    /**
     * Lets {@code answer} answer at JSP paths, by a filter beside our servlet. Undertow does not give these paths to the
     * servlet, and a Tomcat without its own JSP servlet needs that, since it calls no filter there. A path that ends with a
     * slash may be one too: a server looks for its welcome file.
     */
    private static void answerJspPaths(ServletContext context, FilterChain answer) {
        FilterRegistration.Dynamic filter =
                context.addFilter("postern-no-pages", NotFoundServlet.insteadOfPages(answer));
        filter.setAsyncSupported(true);
        filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, JSP_PATHS);
    }

    private SwappableServlet console() {
        context.setSessionTrackingModes(EnumSet.of(SessionTrackingMode.COOKIE));
        SessionCookieConfig cookie = context.getSessionCookieConfig();
        cookie.setHttpOnly(true);
        cookie.setAttribute("SameSite", "Strict");
        return other(CONSOLE, "/console/*");
    }

    private SwappableServlet hooks(CoreServices ground) {
        String pattern = settings.hooks().path() + "/*";
        filter("postern-hook-filter", ground.hookFilter()).addMappingForUrlPatterns(REQUEST_AND_ASYNC, true, pattern);
        return other("postern-hooks", pattern);
    }

    private FilterRegistration.Dynamic filter(String name, Filter filter) {
        FilterRegistration.Dynamic registration = context.addFilter(name, filter);
        registration.setAsyncSupported(true);
        return registration;
    }

    private SwappableServlet other(String name, String... patterns) {
        SwappableServlet servlet = swappableServlet(name, patterns);
        others.add(servlet);
        return servlet;
    }

    private SwappableServlet swappableServlet(String name, String... patterns) {
        SwappableServlet servlet = new SwappableServlet(new NotFoundServlet(request -> false));
        add(context, name, servlet, patterns);
        return servlet;
    }

    private static void switchTo(SwappableServlet servlet, Servlet next) {
        try {
            servlet.delegateTo(next);
        } catch (ServletException e) {
            throw new IllegalStateException("a servlet can't be initialised", e);
        }
    }

    private static void add(ServletContext context, String name, Servlet servlet, String... patterns) {
        ServletRegistration.Dynamic registration = context.addServlet(name, servlet);
        registration.setAsyncSupported(true);
        registration.setLoadOnStartup(1);
        for (String pattern : patterns) { // each alone, so that a pattern that a server rejects leaves the others
            registration.addMapping(pattern);
        }
    }
}
