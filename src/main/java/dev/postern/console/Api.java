package dev.postern.console;

import dev.postern.console.Entrance.Attempt;
import dev.postern.console.Reception.Reply;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** The console for programs: the same as JSON. */
final class Api {

    private final Reception reception;
    private final Entrance entrance;
    private final Answers answers;
    private final ApiDocument document;

    Api(Reception reception, Entrance entrance, Answers answers, ApiDocument document) {
        this.reception = reception;
        this.entrance = entrance;
        this.answers = answers;
        this.document = document;
    }

    /**
     * Something that was done.
     *
     * @param message what, for a person
     * @param see the place below {@code /console/api/} that shows it
     */
    record Done(boolean ok, String message, String see) {}

    /** Answers a question. */
    void get(Visit visit) throws IOException {
        if (visitor(visit).isEmpty()) {
            return;
        }
        if (visit.place().equals(ApiDocument.PLACE)) {
            visit.send(200, "application/json", document.json());
        } else {
            reply(visit, reception.look(visit.place(), new Question(visit.request())));
        }
    }

    /** Answers a question that was sent, or does what was asked for. */
    void post(Visit visit) throws IOException {
        Optional<Visitor> visitor = visitor(visit);
        if (visitor.isEmpty()) {
            return;
        }
        if (!Entrance.isMeant(visit.request(), visitor.get())) {
            String sentence =
                    "A browser's request needs the header X-CSRF-Token, and must come from a page of the console.";
            answer(visit, 403, Answers.problem("forbidden", sentence));
            return;
        }
        byte[] body = visit.request().getInputStream().readAllBytes();
        Optional<Map<String, String>> sent = body.length == 0 ? Optional.of(Map.of()) : answers.members(body);
        if (sent.isEmpty()) {
            answer(visit, 400, Answers.problem("invalid_json", "The body is no JSON object."));
        } else {
            Question question = new Question("", visit.request(), sent.get());
            reply(visit, reception.send(visit.place(), question, visitor.get()));
        }
    }

    private void reply(Visit visit, Reply reply) throws IOException {
        if (reply instanceof Reply.Shown shown) {
            answer(visit, 200, shown.what());
        } else if (reply instanceof Reply.Done done) {
            answer(
                    visit,
                    200,
                    new Done(true, done.what().sentence(), done.what().see()));
        } else if (reply instanceof Reply.Problem problem) {
            if (problem.status() == 503) {
                visit.response().setHeader("Retry-After", "2");
            }
            answer(visit, problem.status(), Answers.problem(problem.code(), problem.sentence()));
        }
    }

    /** Whoever has logged in, or sends a name and a password along; where nobody may look, it is answered. */
    private Optional<Visitor> visitor(Visit visit) throws IOException {
        Optional<Visitor> known = entrance.visitor(visit.request());
        if (known.isPresent()) {
            return known;
        }
        Optional<Attempt> sent = entrance.basic(visit.request());
        if (sent.isEmpty()) {
            refuse(visit, 401, "unauthorized", "A user's name and password are needed.");
            return Optional.empty();
        }
        Attempt attempt = sent.get();
        if (attempt instanceof Attempt.In in) {
            return Optional.of(new Visitor(in.name(), in.role(), null));
        }
        if (attempt instanceof Attempt.Later later) {
            visit.response().setHeader("Retry-After", Long.toString(later.seconds()));
        }
        Denial denial = Denial.of(attempt);
        refuse(visit, denial.status(), denial.code(), denial.sentence());
        return Optional.empty();
    }

    private void refuse(Visit visit, int status, String code, String sentence) throws IOException {
        if (status == 401) {
            visit.response().setHeader("WWW-Authenticate", "Basic realm=\"Postern\", charset=\"UTF-8\"");
        }
        answer(visit, status, Answers.problem(code, sentence));
    }

    private void answer(Visit visit, int status, Object body) throws IOException {
        visit.send(status, "application/json", answers.bytes(body));
    }
}
