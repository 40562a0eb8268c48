package dev.postern.it.standalone;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** A generator of methods and request targets: every address that Postern's OpenAPI document has, every page, and odd ones. */
final class RawTargetGenerator {

    private static final List<String> METHODS = List.of(
            "GET",
            "POST",
            "HEAD",
            "PUT",
            "DELETE",
            "OPTIONS",
            "TRACE",
            "PATCH",
            "CONNECT",
            "PROPFIND",
            "QUERY",
            "PRI",
            "get",
            "Post",
            "GET\t",
            "G\u00c4T",
            "A".repeat(300),
            "",
            "M-SEARCH",
            "(",
            "POST POST");

    private static final List<String> HOOKS = List.of(
            "wake",
            "agent",
            "github",
            "gitlab",
            "stripe",
            "slack",
            "sentry",
            "pagerduty",
            "jira",
            "linear",
            "grafana",
            "alertmanager",
            "gmail",
            "standard",
            "mapped",
            "fan",
            "unknown");

    private static final List<String> PAGES = List.of(
            "",
            "/",
            "/overview",
            "/login",
            "/logout",
            "/try",
            "/backtest",
            "/assets/htmx.js",
            "/assets/console.css",
            "/assets/..%2f",
            "/assets/nothing",
            "/requests/failed",
            "/requests/selection",
            "/runs/again",
            "/runs/cancel",
            "/nothing",
            "/api",
            "/api/",
            "/api/nothing");

    private static final List<String> ODD = List.of(
            "/",
            "*",
            "",
            "//",
            "/..",
            "/.",
            "/hooks",
            "/hooks/",
            "/hooks/wake/",
            "/hooks//wake",
            "/hooks/..;/metrics",
            "/hooks/%2e%2e/metrics",
            "/hooks/wake;jsessionid=1",
            "/hooks/wake%2f",
            "/hooks/%00",
            "/hooks/%",
            "/hooks/%zz",
            "/hooks/%c0%ae",
            "/hooks/\u00e4",
            "/hooks/runs",
            "/hooks/runs/",
            "/hooks/runs/run_0",
            "/WEB-INF/web.xml",
            "/META-INF/MANIFEST.MF",
            "/WEB-INF/classes/postern.yaml",
            "/index.html",
            "http://localhost/hooks/wake",
            "http://localhost/console/",
            "https://evil.example/hooks/wake",
            "http://[::1/hooks/wake",
            "http:///hooks/wake",
            "hooks/wake",
            "localhost:443",
            "/hooks/wake#a",
            "/hooks/wa ke",
            "/hooks/wake\\",
            "/hooks/\u0000",
            "/nothing",
            "/health",
            "/health/live/x",
            "/metrics/",
            "/console/api/runs/%ff",
            "/console/../metrics",
            "/console/runs/..",
            "/CONSOLE",
            "file:///etc/passwd",
            "/hooks/" + "a".repeat(9_000));

    private final RandomValues random;
    private final List<RawAddress> addresses = new ArrayList<>();
    private final List<String> parameters;

    /** An address with the method that it takes. */
    record RawAddress(String method, String path) {}

    /**
     * Makes a generator.
     *
     * @param document the OpenAPI document
     * @param ids ids of what there is, which paths name
     */
    RawTargetGenerator(RandomValues random, JsonObject document, List<String> ids) {
        this.random = random;
        Set<String> names = new TreeSet<>(List.of("token", "next", "csrf", "name", "a", ""));
        for (Map.Entry<String, JsonElement> path :
                document.getAsJsonObject("paths").entrySet()) {
            path.getValue().getAsJsonObject().entrySet().forEach(operation -> {
                if (operation.getValue().getAsJsonObject().has("parameters")) {
                    operation
                            .getValue()
                            .getAsJsonObject()
                            .getAsJsonArray("parameters")
                            .forEach(parameter -> {
                                if (parameter.getAsJsonObject().has("name")) {
                                    names.add(parameter
                                            .getAsJsonObject()
                                            .get("name")
                                            .getAsString());
                                }
                            });
                }
                for (String id : ids) {
                    add(
                            operation.getKey().toUpperCase(Locale.ROOT),
                            path.getKey().replaceAll("\\{(id|address)}", id));
                }
            });
        }
        parameters = List.copyOf(names);
    }

    private void add(String method, String path) {
        if (path.equals("/hooks/{hook}")) {
            HOOKS.forEach(hook -> addresses.add(new RawAddress(method, "/hooks/" + hook)));
            return;
        }
        addresses.add(new RawAddress(method, path));
        if (path.startsWith("/console/api/")) {
            addresses.add(new RawAddress(method, path.replace("/api", "")));
        }
    }

    /** One of the addresses; hooks and the rest are as frequent as each other. */
    RawAddress address() {
        return switch (random.below(10)) {
            case 0 -> new RawAddress(method("GET"), random.of(ODD));
            case 1 -> new RawAddress(method(random.of("GET", "POST")), "/console" + random.of(PAGES));
            case 2, 3, 4, 5 -> new RawAddress(method("POST"), "/hooks/" + random.of(HOOKS));
            default -> {
                RawAddress address = random.of(addresses);
                yield new RawAddress(method(address.method()), address.path());
            }
        };
    }

    /** The target of a request for {@code path}, with a query or without one. */
    String target(String path) {
        String target = random.chance(4) ? random.changed(path + "/") : path;
        if (random.chance(3)) {
            target = "http://localhost" + target;
        }
        if (random.chance(60)) {
            return target;
        }
        StringBuilder query = new StringBuilder(target).append('?');
        for (int left = random.below(random.chance(2) ? 1_200 : 4); left >= 0; left--) {
            query.append(random.of(parameters))
                    .append(random.of("=", "=", "=", "", "==", "%3d"))
                    .append(
                            random.chance(70)
                                    ? encoded(random.any())
                                    : random.of("%", "%z", "%ff", "%00", "%u0041", "%C3%28", "+", "%ed%a0%80"))
                    .append(random.of("&", "&", "&&", ";"));
        }
        return query.toString();
    }

    private String method(String right) {
        return random.chance(85) ? right : random.of(METHODS);
    }

    private String encoded(String text) {
        StringBuilder encoded = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            boolean isPlain = each > ' ' && each < 0x7f && "\"#%&+;<>?\\^`{|}[]".indexOf(each) < 0;
            encoded.append(isPlain || random.chance(1) ? String.valueOf(each) : String.format("%%%02x", (int) each));
        }
        return encoded.toString();
    }
}
