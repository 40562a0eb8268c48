package dev.postern.console;

import dev.postern.access.Loopback;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code /console/}: the operator's pages, and below {@code api/} the same as JSON. */
public final class ConsoleServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST");
    private static final String API = "api/";
    private static final String ASSETS = "assets/";

    private final transient Reception reception;
    private final transient Entrance entrance;
    private final boolean localOnly;
    private final String hookPath;
    private transient @Nullable Doors doors;

    /**
     * Shows what is at {@code reception} to whom {@code entrance} knows.
     *
     * @param localOnly whether for requests from other machines there is nothing here
     * @param hookPath as configured
     */
    ConsoleServlet(Reception reception, Entrance entrance, boolean localOnly, String hookPath) {
        this.reception = reception;
        this.entrance = entrance;
        this.localOnly = localOnly;
        this.hookPath = hookPath;
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

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        Guarding.page(response);
        if (localOnly && !Loopback.is(request.getRemoteAddr())) {
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
