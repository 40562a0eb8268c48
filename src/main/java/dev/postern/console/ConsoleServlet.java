package dev.postern.console;

import dev.postern.access.BasicCredentials;
import dev.postern.access.Loopback;
import dev.postern.console.Entrance.Attempt;
import dev.postern.observe.ErrorIds;
import dev.postern.store.StoreException;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code /console/}: the operator's pages, and below {@code api/} the same as JSON. */
public final class ConsoleServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private static final System.Logger LOG = System.getLogger(ConsoleServlet.class.getName());
    private static final String API = "api/";
    private static final String ASSETS = "assets/";

    private final transient Views views;
    private final transient Entrance entrance;
    private final transient ErrorIds ids = new ErrorIds();
    private final boolean localOnly;
    private transient @Nullable Kit kit;

    /**
     * Shows {@code views} to whom {@code entrance} knows.
     *
     * @param localOnly whether for requests from other machines there is nothing here
     */
    ConsoleServlet(Views views, Entrance entrance, boolean localOnly) {
        this.views = views;
        this.entrance = entrance;
        this.localOnly = localOnly;
    }

    /** What answers are made with. */
    private record Kit(Pages pages, Assets assets, Answers answers) {}

    /** Made when it is first needed: a start has better uses for the time. */
    private synchronized Kit kit() {
        Kit made = kit;
        if (made == null) {
            made = new Kit(new Pages(), new Assets(), new Answers());
            kit = made;
        }
        return made;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        Guarding.page(response);
        if (localOnly && !Loopback.is(request.getRemoteAddr())) {
            answer(response, 404, Answers.problem("not_found", "There is no such thing here."));
        } else {
            super.service(request, response);
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        @Nullable String place = place(request);
        if (place == null) {
            redirect(response, request.getContextPath() + "/console/");
        } else if (place.startsWith(ASSETS)) {
            kit().assets().send(place.substring(ASSETS.length()), response);
        } else if (place.equals("login")) {
            login(request, response, 200, "");
        } else if (place.startsWith(API)) {
            api(place.substring(API.length()), request, response);
        } else {
            show(place, request, response);
        }
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        @Nullable String place = place(request);
        if ("login".equals(place)) {
            enter(request, response);
        } else if ("logout".equals(place)) {
            Optional<Visitor> visitor = entrance.visitor(request);
            if (visitor.isPresent() && Entrance.isMeant(request, visitor.get())) {
                entrance.leave(request);
            }
            redirect(response, base(request) + "login");
        } else {
            nowhere(request, response);
        }
    }

    private void show(String place, HttpServletRequest request, HttpServletResponse response) throws IOException {
        Optional<Visitor> visitor = entrance.visitor(request);
        if (visitor.isEmpty()) {
            String login = base(request) + "login?next=" + encoded(placeAndQuery(place, request));
            if (request.getHeader("HX-Request") == null) {
                redirect(response, login);
            } else { // a part of a page that is still open: the whole page goes
                response.setHeader("HX-Redirect", login);
                response.setStatus(401);
            }
            return;
        }
        Views.@Nullable Found found = views.at(place);
        if (found == null) {
            nowhere(request, response);
            return;
        }
        try {
            Optional<?> shown = found.view().show(new Question(found.id(), request));
            if (shown.isEmpty()) {
                nowhere(request, response);
            } else {
                Map<String, Object> values = values(request, visitor.get(), place);
                values.put("shown", kit().answers().tree(shown.get()));
                page(response, 200, found.view().template(), values);
            }
        } catch (UnfitException e) {
            problem(request, response, 400, "That can't be shown", String.valueOf(e.getMessage()));
        } catch (StoreException e) {
            problem(
                    request,
                    response,
                    503,
                    "The database does not answer",
                    "The log says more. Try again in a moment.");
        } catch (RuntimeException e) {
            String id = ids.log(LOG, "A page of the console failed", e);
            problem(request, response, 500, "Something went wrong here", "The log has it under " + id + ".");
        }
    }

    private void api(String place, HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (entrance.visitor(request).isEmpty() && !entersByPassword(request, response)) {
            return;
        }
        Views.@Nullable Found found = views.at(place);
        try {
            Optional<?> shown = found == null ? Optional.empty() : found.view().show(new Question(found.id(), request));
            if (shown.isEmpty()) {
                answer(response, 404, Answers.problem("not_found", "There is no such thing, or it is no longer kept."));
            } else {
                answer(response, 200, shown.get());
            }
        } catch (UnfitException e) {
            answer(response, 400, Answers.problem("invalid_question", String.valueOf(e.getMessage())));
        } catch (StoreException e) {
            response.setHeader("Retry-After", "2");
            answer(response, 503, Answers.problem("unavailable", "The database does not answer."));
        } catch (RuntimeException e) {
            String id = ids.log(LOG, "An answer of the console failed", e);
            String sentence = "Something went wrong here. The log has it under " + id + ".";
            answer(response, 500, Answers.problem("internal", sentence));
        }
    }

    /** Whether a program has sent the name and password of somebody who may look; where not, it is answered. */
    private boolean entersByPassword(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Optional<BasicCredentials> sent = BasicCredentials.of(request.getHeader("Authorization"));
        if (sent.isEmpty()) {
            response.setHeader("WWW-Authenticate", "Basic realm=\"Postern\", charset=\"UTF-8\"");
            answer(response, 401, Answers.problem("unauthorized", "A user's name and password are needed."));
            return false;
        }
        Attempt attempt = entrance.enter(request, sent.get().name(), sent.get().password());
        if (attempt instanceof Attempt.Later later) {
            response.setHeader("Retry-After", Long.toString(later.seconds()));
        }
        if (!(attempt instanceof Attempt.In)) {
            Denial denial = Denial.of(attempt);
            answer(response, denial.status(), Answers.problem(denial.code(), denial.sentence()));
        }
        return attempt instanceof Attempt.In;
    }

    private void enter(HttpServletRequest request, HttpServletResponse response) throws IOException {
        @Nullable String name = request.getParameter("name");
        @Nullable String password = request.getParameter("password");
        if (!SameOrigin.allows(request)) {
            login(request, response, 403, "The form came from another site.");
        } else if (name == null || password == null) {
            login(request, response, 400, "Name and password are needed.");
        } else {
            Attempt attempt = entrance.enter(request, name, password);
            if (attempt instanceof Attempt.In in) {
                entrance.remember(request, in);
                redirect(response, base(request) + next(request));
                return;
            }
            if (attempt instanceof Attempt.Later later) {
                response.setHeader("Retry-After", Long.toString(later.seconds()));
            }
            Denial denial = Denial.of(attempt);
            login(request, response, denial.status(), denial.sentence());
        }
    }

    private void login(HttpServletRequest request, HttpServletResponse response, int status, String problem)
            throws IOException {
        Map<String, Object> values = new HashMap<>();
        values.put("base", base(request));
        values.put("assets", kit().assets().names());
        values.put("problem", problem);
        values.put("next", next(request));
        page(response, status, "login", values);
    }

    /** Where to go after the login: a place of the console, and nowhere else. */
    private static String next(HttpServletRequest request) {
        @Nullable String next = request.getParameter("next");
        return next == null || !next.matches("([a-z]+(/[a-z0-9_]+)?)?(\\?[A-Za-z0-9_=&%.+-]*)?") ? "" : next;
    }

    private void nowhere(HttpServletRequest request, HttpServletResponse response) throws IOException {
        problem(request, response, 404, "Nothing here", "There is no such thing, or it is no longer kept.");
    }

    private void problem(
            HttpServletRequest request, HttpServletResponse response, int status, String title, String sentence)
            throws IOException {
        Map<String, Object> values = new HashMap<>();
        values.put("base", base(request));
        values.put("assets", kit().assets().names());
        values.put("title", title);
        values.put("sentence", sentence);
        page(response, status, "problem", values);
    }

    private Map<String, Object> values(HttpServletRequest request, Visitor visitor, String place) {
        Map<String, Object> values = new HashMap<>();
        values.put("base", base(request));
        values.put("assets", kit().assets().names());
        values.put("visitor", kit().answers().tree(visitor));
        values.put("place", place);
        values.put("again", base(request) + placeAndQuery(place, request));
        return values;
    }

    private void page(HttpServletResponse response, int status, String template, Map<String, ?> values)
            throws IOException {
        send(
                response,
                status,
                "text/html;charset=utf-8",
                kit().pages().page(template, values).getBytes(StandardCharsets.UTF_8));
    }

    private void answer(HttpServletResponse response, int status, Object body) throws IOException {
        send(response, status, "application/json", kit().answers().bytes(body));
    }

    private static void send(HttpServletResponse response, int status, String type, byte[] body) throws IOException {
        response.setStatus(status);
        response.setContentType(type);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    private static void redirect(HttpServletResponse response, String where) {
        response.setStatus(303);
        response.setHeader("Location", where);
    }

    /** What follows {@code /console/}; null where the slash is missing. */
    private static @Nullable String place(HttpServletRequest request) {
        @Nullable String path = request.getPathInfo();
        return path == null ? null : path.substring(1);
    }

    private static String base(HttpServletRequest request) {
        return request.getContextPath() + "/console/";
    }

    private static String placeAndQuery(String place, HttpServletRequest request) {
        @Nullable String query = request.getQueryString();
        return query == null ? place : place + "?" + query;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
