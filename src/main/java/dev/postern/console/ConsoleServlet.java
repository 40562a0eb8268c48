package dev.postern.console;

import dev.postern.access.BodyLimit;
import dev.postern.access.LocalRequestRule;
import dev.postern.console.Entrance.Attempt;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code /console/}: the operator's pages, and below {@code api/} the same as JSON. */
public final class ConsoleServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST");
    private static final String API = "api/";
    private static final String ASSETS = "assets/";
    private static final String LOGIN = "login";

    /** Room for the longest name and password that are judged, encoded as a browser does, and where to go next. */
    private static final BodyLimit FORM_OF_STRANGER = new BodyLimit(4_096, "", Duration.ofSeconds(5), "", false);

    private static final int API_BYTES = 1 << 20;

    private final transient Reception reception;
    private final transient Entrance entrance;
    private final boolean localOnly;
    private final String hookPath;
    private final transient BodyLimit bodyOfUser;
    private transient @Nullable Doors doors;

    /**
     * Shows what is at {@code reception} to whom {@code entrance} knows.
     *
     * @param localOnly whether for requests that are not local there is nothing here
     * @param hookPath as configured
     * @param bodyTimeout how long the body of somebody who has logged in may take
     */
    ConsoleServlet(Reception reception, Entrance entrance, boolean localOnly, String hookPath, Duration bodyTimeout) {
        this.reception = reception;
        this.entrance = entrance;
        this.localOnly = localOnly;
        this.hookPath = hookPath;
        this.bodyOfUser = new BodyLimit(API_BYTES, "", bodyTimeout, "hooks.bodyTimeoutSeconds", true);
    }

    private record Doors(Browsing pages, Api api, Assets assets, Answers answers) {}

    /** Made when they are first needed: a start has better uses for the time. */
    private synchronized Doors doors() {
        Doors made = doors;
        if (made == null) {
            Kit kit = new Kit();
            made = new Doors(
                    new Browsing(reception, entrance, kit),
                    new Api(reception, entrance, kit.answers(), new ApiDocument(hookPath)),
                    kit.assets(),
                    kit.answers());
            doors = made;
        }
        return made;
    }

    /**
     * The limit of a request's body; empty where it is not read. A stranger may send the form to log in and nothing else.
     *
     * @param request of which only the header has arrived
     */
    public Optional<BodyLimit> bodyLimit(HttpServletRequest request) {
        @Nullable String path = request.getPathInfo();
        if (!request.getMethod().equals("POST") || path == null || isHidden(request)) {
            return Optional.empty();
        }
        String place = path.substring(1);
        if (place.equals(LOGIN)) {
            return Optional.of(FORM_OF_STRANGER);
        }
        boolean isUser = entrance.visitor(request).isPresent()
                || (place.startsWith(API) && entrance.basic(request).orElse(null) instanceof Attempt.In);
        return isUser ? Optional.of(bodyOfUser) : Optional.empty();
    }

    private boolean isHidden(HttpServletRequest request) {
        return localOnly && !LocalRequestRule.covers(request);
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        Guarding.page(response);
        if (isHidden(request)) {
            refuse(request, response, 404, Answers.problem("not_found", "There is no such thing here."));
        } else if (!METHODS.contains(request.getMethod())) {
            response.setHeader("Allow", "GET, HEAD, POST");
            String sentence = "Only GET, HEAD and POST are answered here.";
            refuse(request, response, 405, Answers.problem("method_not_allowed", sentence));
        } else {
            super.service(request, response);
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        @Nullable String path = request.getPathInfo();
        if (path == null) { // the slash is missing
            new Visit(request, response, "").redirect("");
            return;
        }
        Visit visit = new Visit(request, response, path.substring(1));
        if (visit.place().startsWith(ASSETS)) {
            doors().assets().send(visit.place().substring(ASSETS.length()), response);
        } else if (visit.place().startsWith(API)) {
            doors().api().get(below(API, visit));
        } else {
            doors().pages().get(visit);
        }
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        @Nullable String path = request.getPathInfo();
        Visit visit = new Visit(request, response, path == null ? "" : path.substring(1));
        if (visit.place().startsWith(API)) {
            doors().api().post(below(API, visit));
        } else {
            doors().pages().post(visit);
        }
    }

    private void refuse(HttpServletRequest request, HttpServletResponse response, int status, Answers.Problem why)
            throws IOException {
        new Visit(request, response, "")
                .send(status, "application/json", doors().answers().bytes(why));
    }

    private static Visit below(String prefix, Visit visit) {
        return new Visit(visit.request(), visit.response(), visit.place().substring(prefix.length()));
    }
}
