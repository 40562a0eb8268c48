package dev.postern.console;

import dev.postern.acceptance.Intake;
import dev.postern.access.AuthenticationLockouts;
import dev.postern.access.BodyLimit;
import dev.postern.access.ContainerAuthenticator;
import dev.postern.access.LocalRequestRule;
import dev.postern.access.SenderGuard;
import dev.postern.budget.BudgetRegistry;
import dev.postern.budget.SpendingQueries;
import dev.postern.config.Settings;
import dev.postern.dispatch.Dispatcher;
import dev.postern.observe.HealthChecks;
import dev.postern.observe.RequestLog;
import dev.postern.requests.PayloadQueries;
import dev.postern.requests.RequestQueries;
import dev.postern.requests.RequestReplay;
import dev.postern.statistics.CountQueries;
import dev.postern.store.Store;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The operators' console, which has pages for people and, below {@code api/}, the same as JSON for programs. */
public final class Console {

    /** Enough for the longest name and password that are checked, encoded as a browser does, and for the next address. */
    private static final BodyLimit LOGIN_FORM_LIMIT = new BodyLimit(4_096, "", Duration.ofSeconds(5), "", false);

    private static final int BODY_OF_USER_BYTES = 1 << 20;

    private final Services services;
    private final LoginSessions loginSessions;
    private final boolean localOnly;
    private final BodyLimit bodyOfUser;

    /** Makes a console that shows {@code services}. */
    public Console(Services services) {
        Settings settings = services.settings();
        this.services = services;
        this.loginSessions = new LoginSessions(services.login());
        this.localOnly = isLocalOnly(settings);
        this.bodyOfUser = new BodyLimit(
                BODY_OF_USER_BYTES, "", settings.hooks().bodies().timeout(), "hooks.bodyTimeoutSeconds", true);
    }

    /**
     * The services of Postern that a console shows or acts on.
     *
     * @param lockouts the clients that are locked out, of the console and of the hooks
     * @param senderGuard the rates of senders with tokens of their own
     * @param backtests what kept payloads would lead to in another configuration
     * @param runningInstance the Postern that runs here
     * @param runtimeInfo the state of the services that are not named here
     */
    public record Services(
            ContainerAuthenticator login,
            AuthenticationLockouts lockouts,
            SenderGuard senderGuard,
            HealthChecks health,
            CountQueries counts,
            SpendingQueries spending,
            BudgetRegistry budgets,
            RequestLog requests,
            RequestQueries requestQueries,
            PayloadQueries payloadQueries,
            RequestReplay requestReplay,
            Intake intake,
            Dispatcher dispatcher,
            Store store,
            MappingTrials trials,
            BacktestRunner backtests,
            RunningInstance runningInstance,
            RuntimeInfo runtimeInfo) {

        Settings settings() {
            return runningInstance.configured().settings();
        }
    }

    /** The resources and providers of a Jersey application whose paths are relative to the web application's. */
    public Set<Object> components() {
        StaticAssets assets = new StaticAssets();
        UserFilter users = new UserFilter(loginSessions, services.login());
        ConsoleRootResource resource =
                new ConsoleRootResource(services, new LoginResource(loginSessions, services.login()), users, assets);
        return Stream.concat(
                        Stream.of(resource, users, new ParameterConverterProvider()),
                        shared(assets, loginSessions, localOnly))
                .collect(Collectors.toSet());
    }

    /**
     * The resources and providers for a Postern that has not started: each address says why.
     *
     * @param sentence the reason, for a local request (true) or any other (false)
     */
    public static Set<Object> notStarted(
            ContainerAuthenticator login, Settings settings, Function<Boolean, String> sentence) {
        StaticAssets assets = new StaticAssets();
        return Stream.concat(
                        Stream.of(new NotStartedResource(assets, sentence)),
                        shared(assets, new LoginSessions(login), isLocalOnly(settings)))
                .collect(Collectors.toSet());
    }

    private static Stream<Object> shared(StaticAssets assets, LoginSessions loginSessions, boolean localOnly) {
        ConsoleJsonMapper json = new ConsoleJsonMapper();
        return Stream.of(
                new ConsoleAddressFilter(localOnly),
                new ResponseFilter(loginSessions),
                new PageWriter(assets, json, loginSessions, InstantSource.system()),
                json.provider());
    }

    private static boolean isLocalOnly(Settings settings) {
        return settings.console() == Settings.Access.LOCAL;
    }

    /**
     * The limit of a request's body; empty where the body is not read. Without a login, only the login form is taken.
     *
     * @param request a request whose header has arrived and whose body has not
     */
    public Optional<BodyLimit> bodyLimit(HttpServletRequest request) {
        if (!request.getMethod().equals("POST") || (localOnly && !LocalRequestRule.covers(request))) {
            return Optional.empty();
        }
        if (ConsoleAddresses.of(request).equals(ConsoleRootResource.LOGIN)) {
            return Optional.of(LOGIN_FORM_LIMIT);
        }
        return loginSessions.user(request).isPresent() ? Optional.of(bodyOfUser) : Optional.empty();
    }
}
