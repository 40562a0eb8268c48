package dev.postern.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.postern.acceptance.RunQueries;
import dev.postern.acceptance.SessionQueries;
import dev.postern.agent.TranscriptQueries;
import dev.postern.approval.ApprovalQueries;
import dev.postern.channel.DeliveryQueries;
import dev.postern.console.AuditedActions.Performed;
import dev.postern.dispatch.Dispatcher;
import dev.postern.dispatch.NodeQueries;
import dev.postern.dispatch.OperatorCommands;
import dev.postern.observe.ErrorIds;
import dev.postern.requests.SenderRequestQueries;
import dev.postern.statistics.CountRange;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The root resource of the console, which lists its addresses. Each resource returns a record, which becomes a page or JSON.
 *
 * <p>The console has one root, which is also an exception mapper: Jersey warns of a resource instance that is no provider.
 */
@Path("console")
@Singleton
public final class ConsoleRootResource implements ExceptionMapper<Throwable> {

    /** The path of the login below the console. */
    static final String LOGIN = "login";

    private static final System.Logger LOG = System.getLogger(ConsoleRootResource.class.getName());

    private final ErrorIds ids = new ErrorIds();
    private final UserFilter users;
    private final LoginResource login;
    private final StaticAssets assets;
    private final OpenApiDocument document;
    private final OperatorCommands operatorCommands;
    private final ClientsResource clients;
    private final AuditedActions auditedActions;
    private final OverviewResource overview;
    private final HookListResource hooks;
    private final SenderListResource senders;
    private final SpendingResource spending;
    private final RequestsResource requests;
    private final RunsResource runs;
    private final SessionsResource sessions;
    private final SessionResource session;
    private final DeliveriesResource deliveries;
    private final ApprovalsResource approvals;
    private final InboxResource inbox;
    private final TryResource trial;
    private final BacktestResource backtest;
    private final AuditResource audit;
    private final NodesResource nodes;
    private final SettingsResource settings;

    /**
     * @param users makes the responses to requests without a login
     */
    ConsoleRootResource(Console.Services services, LoginResource login, UserFilter users, StaticAssets assets) {
        Store store = services.store();
        Dispatcher dispatcher = services.dispatcher();
        RunQueries runQueries = new RunQueries(store);
        SessionQueries sessionQueries = new SessionQueries(store);
        DeliveryQueries deliveryQueries = new DeliveryQueries(store);
        AuditLog log = new AuditLog(store, store.clock());
        this.users = users;
        this.login = login;
        this.assets = assets;
        this.document = new OpenApiDocument(services.settings().hooks().path());
        this.operatorCommands = dispatcher.operatorCommands();
        this.auditedActions = new AuditedActions(log);
        this.clients = new ClientsResource(services.lockouts(), auditedActions);
        BudgetReader budgets = new BudgetReader(store, services.budgets(), runQueries);
        this.overview = new OverviewResource(
                new StatusCollector(services, runQueries, deliveryQueries, budgets),
                services.settings(),
                services.counts(),
                services.spending(),
                System::nanoTime);
        this.hooks = new HookListResource(services.settings().hooks(), services.counts(), services.spending());
        this.senders = new SenderListResource(
                services.settings().senders().values(),
                services.senderGuard(),
                new SenderRequestQueries(store),
                store.clock());
        this.spending = new SpendingResource(services.spending(), budgets);
        this.requests = new RequestsResource(services, runQueries, sessionQueries, deliveryQueries, auditedActions);
        ApprovalQueries approvalQueries = new ApprovalQueries(store);
        this.runs = new RunsResource(
                runQueries, deliveryQueries, approvalQueries, services.intake(), operatorCommands, auditedActions);
        this.sessions = new SessionsResource(sessionQueries, dispatcher.heartbeatForecast());
        this.session = new SessionResource(sessionQueries, new TranscriptQueries(store), dispatcher);
        this.deliveries = new DeliveriesResource(deliveryQueries, operatorCommands, auditedActions);
        this.approvals = new ApprovalsResource(approvalQueries, operatorCommands, auditedActions);
        this.inbox = new InboxResource(deliveryQueries);
        this.trial = new TryResource(services.trials(), services.settings().hooks());
        this.backtest = new BacktestResource(
                services.backtests(), services.runningInstance().checking(), auditedActions, store.clock());
        this.audit = new AuditResource(log);
        this.nodes = new NodesResource(new NodeQueries(store), dispatcher.node());
        this.settings = new SettingsResource(
                services.runningInstance(),
                services.runtimeInfo(),
                dispatcher.node(),
                services.lockouts(),
                store.clock());
    }

    /** The overview, which is the first page; for programs it is at {@code api/overview}. */
    @GET
    @Path("{overview: (overview)?}")
    @RequiresUser
    @PageTemplate("overview")
    public OverviewResource.Shown overview(@QueryParam("range") @Nullable CountRange range) {
        return overview.show(range == null ? CountRange.HOUR : range);
    }

    /** The resource of the senders. */
    @Path("senders")
    public SenderListResource senders() {
        return senders;
    }

    /** The resource of the hooks. */
    @Path("hooks")
    public HookListResource hooks() {
        return hooks;
    }

    /** The resource of what turns have spent. */
    @Path("spending")
    public SpendingResource spending() {
        return spending;
    }

    /** The resource of the latest requests. */
    @Path("requests")
    public RequestsResource requests() {
        return requests;
    }

    /** The resource of the runs. */
    @Path("runs")
    public RunsResource runs() {
        return runs;
    }

    /** The resource of the list of sessions. */
    @Path("sessions")
    public SessionsResource sessions() {
        return sessions;
    }

    /** The resource of one session. */
    @Path("session")
    public SessionResource session() {
        return session;
    }

    /** The resource of the deliveries. */
    @Path("deliveries")
    public DeliveriesResource deliveries() {
        return deliveries;
    }

    /** The resource of the tool calls that need an operator's approval. */
    @Path("approvals")
    public ApprovalsResource approvals() {
        return approvals;
    }

    /** The resource of the channel {@code inbox}. */
    @Path("inbox")
    public InboxResource inbox() {
        return inbox;
    }

    /** The resource of mapping trials. */
    @Path("try")
    public TryResource trial() {
        return trial;
    }

    /** The resource of backtests. */
    @Path("backtest")
    public BacktestResource backtest() {
        return backtest;
    }

    /** The resource of the audit log. */
    @Path("audit")
    public AuditResource audit() {
        return audit;
    }

    /** The resource of the nodes. */
    @Path("nodes")
    public NodesResource nodes() {
        return nodes;
    }

    /** The resource of the settings. */
    @Path("settings")
    public SettingsResource settings() {
        return settings;
    }

    /** Makes an agent's heartbeat due now. */
    @POST
    @Path("agents/{id}/beat")
    @RequiresUser
    public Performed triggerHeartbeat(@PathParam("id") String agentId, @Context HttpServletRequest asked)
            throws StoreException {
        return auditedActions.perform("agents/beat", agentId, "sessions", operatorCommands::requestHeartbeat, asked);
    }

    /** Removes an event from those that wait for a heartbeat, for good. */
    @POST
    @Path("events/{id}/discard")
    @RequiresUser
    public Performed discardEvent(@PathParam("id") String eventId, @Context HttpServletRequest asked)
            throws StoreException {
        return auditedActions.perform("events/discard", eventId, "sessions", operatorCommands::discard, asked);
    }

    /** The resource of the clients that may be locked out. */
    @Path("clients")
    public ClientsResource clients() {
        return clients;
    }

    /** The description of all HTTP APIs, in OpenAPI 3.1. */
    @GET
    @Path(OpenApiDocument.PATH)
    @RequiresUser
    @Produces(MediaType.APPLICATION_JSON)
    public byte[] document() {
        return document.json();
    }

    /** A style sheet, script or picture of the pages. */
    @GET
    @Path("assets/{name}")
    @Produces(MediaType.TEXT_HTML)
    public Response asset(@PathParam("name") String name) {
        return assets.response(name);
    }

    /** The login form. */
    @GET
    @Path(LOGIN)
    @Produces(MediaType.TEXT_HTML)
    @PageTemplate("login")
    public LoginResource.Form login(@Context HttpServletRequest asked) {
        return login.form(asked);
    }

    /** Logs a user in. */
    @POST
    @Path(LOGIN)
    @Produces(MediaType.TEXT_HTML)
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    @PageTemplate("login")
    public Response logIn(
            @FormParam("name") @Nullable String name,
            @FormParam("password") @Nullable String password,
            @Context HttpServletRequest asked,
            @Context HttpServletResponse response) {
        return login.logIn(name, password, asked, response);
    }

    /** Logs a user out. */
    @POST
    @Path("logout")
    @Produces(MediaType.TEXT_HTML)
    public Response logOut(@Context HttpServletRequest asked) {
        return login.logOut(asked);
    }

    @Override
    public Response toResponse(Throwable failure) {
        int status = failure instanceof WebApplicationException web
                ? web.getResponse().getStatus()
                : 500;
        return status < 500 && status != 400
                ? users.notFound()
                : problem(failure, status).response().build();
    }

    private ConsoleError problem(Throwable failure, int status) {
        if (status == 400) {
            String sentence = failure instanceof ParameterException
                    ? String.valueOf(failure.getMessage())
                    : "The form can't be read. In it, % begins an escape.";
            return new ConsoleError(400, "invalid_parameter", "Invalid request", sentence);
        }
        if (failure instanceof JsonProcessingException) {
            return new ConsoleError(400, "invalid_json", "Invalid request", "The body is not a JSON object.");
        }
        if (failure instanceof StoreException) {
            return new ConsoleError(
                    503,
                    "unavailable",
                    "Database unavailable",
                    "The database does not answer. See the log, and try again in a moment.");
        }
        String id = ids.log(LOG, "A response of the console failed", failure);
        return new ConsoleError(
                500,
                "internal",
                "Internal error",
                "An internal error occurred. The log has the details under " + id + ".");
    }

    /** The OpenAPI 3.1 document, which describes the requests and responses of the hooks, the runs and the console. */
    static final class OpenApiDocument {

        /** Its path below the console's {@code api/}. The document's server address is relative to that path. */
        static final String PATH = "openapi.json";

        /** The hook prefix in the document's source, which has it at the beginning of paths only. */
        private static final String HOOKS = "\"/hooks/";

        private final byte[] json;

        /**
         * @param hookPath the configured path inside the context: it begins with a slash, ends without one, and has no character
         *     that JSON escapes
         */
        OpenApiDocument(String hookPath) {
            this.json = new String(StaticAssets.read(PATH), StandardCharsets.UTF_8)
                    .replace(HOOKS, "\"" + hookPath + "/")
                    .getBytes(StandardCharsets.UTF_8);
        }

        byte[] json() {
            return json;
        }
    }
}
