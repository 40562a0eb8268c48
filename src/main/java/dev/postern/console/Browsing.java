package dev.postern.console;

import dev.postern.console.Entrance.Attempt;
import dev.postern.console.Reception.Reply;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The console for people: pages, forms, and who has logged in. */
final class Browsing {

    private final Reception reception;
    private final Entrance entrance;
    private final Kit kit;

    Browsing(Reception reception, Entrance entrance, Kit kit) {
        this.reception = reception;
        this.entrance = entrance;
        this.kit = kit;
    }

    /** Shows a page. */
    void get(Visit visit) throws IOException {
        if (visit.place().equals("login")) {
            login(visit, 200, "");
            return;
        }
        Optional<Visitor> visitor = entrance.visitor(visit.request());
        if (visitor.isEmpty()) {
            toLogin(visit, visit.placeAndQuery());
        } else {
            show(visit, visitor.get(), reception.look(visit.place(), new Question(visit.request())));
        }
    }

    /** Takes a form. */
    void post(Visit visit) throws IOException {
        if (visit.place().equals("login")) {
            enter(visit);
            return;
        }
        Optional<Visitor> visitor = entrance.visitor(visit.request());
        boolean meant = visitor.isPresent() && Entrance.isMeant(visit.request(), visitor.get());
        if (visit.place().equals("logout")) {
            if (meant) {
                entrance.leave(visit.request());
            }
            visit.redirect("login");
        } else if (visitor.isEmpty()) {
            toLogin(visit, "");
        } else if (meant) {
            show(visit, visitor.get(), reception.send(visit.place(), new Question(visit.request()), visitor.get()));
        } else {
            String sentence = "The form came from elsewhere.";
            problem(visit, new Reply.Problem(403, "forbidden", "Nothing was done", sentence));
        }
    }

    private void show(Visit visit, Visitor visitor, Reply reply) throws IOException {
        if (reply instanceof Reply.Shown shown) {
            Map<String, Object> values = values(visit, visitor);
            values.put("shown", kit.answers().tree(shown.what()));
            page(visit, 200, shown.view().template(), values);
        } else if (reply instanceof Reply.Done done) {
            entrance.leaveWord(visit.request(), done.what().sentence());
            visit.redirect(done.what().see());
        } else if (reply instanceof Reply.Problem problem) {
            problem(visit, problem);
        }
    }

    private static void toLogin(Visit visit, String next) {
        String login = "login?next=" + URLEncoder.encode(next, StandardCharsets.UTF_8);
        if (visit.request().getHeader("HX-Request") == null) {
            visit.redirect(login);
        } else { // a part of a page that is still open: the whole page goes
            visit.response().setHeader("HX-Redirect", visit.base() + login);
            visit.response().setStatus(401);
        }
    }

    private void enter(Visit visit) throws IOException {
        @Nullable String name = visit.request().getParameter("name");
        @Nullable String password = visit.request().getParameter("password");
        if (!SameOrigin.allows(visit.request())) {
            login(visit, 403, "The form came from another site.");
        } else if (name == null || password == null) {
            login(visit, 400, "Name and password are needed.");
        } else {
            Attempt attempt = entrance.enter(visit.request(), name, password);
            if (attempt instanceof Attempt.In in) {
                entrance.remember(visit.request(), visit.response(), in);
                visit.redirect(next(visit));
                return;
            }
            if (attempt instanceof Attempt.Later later) {
                visit.response().setHeader("Retry-After", Long.toString(later.seconds()));
            }
            Denial denial = Denial.of(attempt);
            login(visit, denial.status(), denial.sentence());
        }
    }

    private void login(Visit visit, int status, String problem) throws IOException {
        Map<String, Object> values = values(visit);
        values.put("problem", problem);
        values.put("next", next(visit));
        page(visit, status, "login", values);
    }

    /** Where to go after the login: a place of the console, and nowhere else. */
    private static String next(Visit visit) {
        @Nullable String next = visit.request().getParameter("next");
        return next == null || !next.matches("([a-z]+(/[a-z0-9_]+)?)?(\\?[A-Za-z0-9_=&%.+-]*)?") ? "" : next;
    }

    private void problem(Visit visit, Reply.Problem problem) throws IOException {
        Map<String, Object> values = values(visit);
        entrance.visitor(visit.request()).ifPresent(visitor -> values.putAll(values(visit, visitor)));
        values.put("title", problem.title());
        values.put("sentence", problem.sentence());
        page(visit, problem.status(), "problem", values);
    }

    private Map<String, Object> values(Visit visit, Visitor visitor) {
        Map<String, Object> values = values(visit);
        values.put("visitor", kit.answers().tree(visitor));
        values.put("operator", visitor.isOperator());
        values.put("word", entrance.word(visit.request()));
        values.put("place", visit.place());
        values.put("again", visit.base() + visit.placeAndQuery());
        return values;
    }

    private Map<String, Object> values(Visit visit) {
        Map<String, Object> values = new HashMap<>();
        values.put("base", visit.base());
        values.put("assets", kit.assets().names());
        return values;
    }

    private void page(Visit visit, int status, String template, Map<String, ?> values) throws IOException {
        byte[] page = kit.pages().page(template, values).getBytes(StandardCharsets.UTF_8);
        visit.send(status, "text/html;charset=utf-8", page);
    }
}
