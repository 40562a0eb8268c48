package dev.postern.http;

import dev.postern.access.LocalRequestRule;
import dev.postern.observe.Check;
import dev.postern.observe.Health;
import dev.postern.observe.Readiness;
import dev.postern.observe.StartReport;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;

/** {@code /health/live} and {@code /health/ready}: 200 or 503, and why, for whoever supervises Postern. */
public final class HealthPage extends ReadOnlyPage {

    private static final long serialVersionUID = 1L;

    private final transient Health full;
    private final transient Health outline;

    /** Shows {@code health} to everybody. */
    public HealthPage(Health health) {
        this.full = health;
        this.outline = health;
    }

    /** Shows why a Postern has not started: all of {@code report} to local requests, its outline to others. */
    public HealthPage(StartReport report) {
        this.full = Health.notStarted(report.problems());
        this.outline = Health.notStarted(List.of(report.outline()));
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String page = String.valueOf(request.getPathInfo());
        Health health = full == outline || LocalRequestRule.covers(request) ? full : outline;
        switch (page) {
            case "/live" -> {
                boolean live = health.live();
                Page.json(response, live ? 200 : 503, new Live(live ? "up" : "down"));
            }
            case "/ready" -> {
                Readiness ready = health.ready();
                Page.json(response, ready.ready() ? 200 : 503, Ready.of(ready));
            }
            default -> Page.nothing(response);
        }
    }

    private record Live(String status) {}

    private record Ready(String status, List<Part> parts) {

        static Ready of(Readiness ready) {
            return new Ready(
                    ready.ready() ? "up" : "down",
                    ready.findings().stream().map(Part::of).toList());
        }
    }

    private record Part(String part, String status, String why) {

        static Part of(Readiness.Finding finding) {
            Check check = finding.check();
            if (check instanceof Check.Down down) {
                return new Part(finding.part(), "down", down.reason());
            }
            return check instanceof Check.Impaired impaired
                    ? new Part(finding.part(), "impaired", impaired.reason())
                    : new Part(finding.part(), "up", ((Check.Up) check).how());
        }
    }
}
