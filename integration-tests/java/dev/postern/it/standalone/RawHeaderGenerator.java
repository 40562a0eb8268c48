package dev.postern.it.standalone;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A generator of header lines: those that Postern reads, right and wrong, and any others. */
final class RawHeaderGenerator {

    private static final List<String> READ = List.of(
            "Host",
            "Authorization",
            "X-Service-Token",
            "Cookie",
            "Accept",
            "Accept-Encoding",
            "Content-Type",
            "Content-Encoding",
            "Content-Length",
            "Transfer-Encoding",
            "TE",
            "Trailer",
            "Connection",
            "Upgrade",
            "HTTP2-Settings",
            "Expect",
            "Prefer",
            "Range",
            "If-Range",
            "If-None-Match",
            "If-Modified-Since",
            "Idempotency-Key",
            "X-Request-Id",
            "X-CSRF-Token",
            "Origin",
            "Referer",
            "Sec-Fetch-Site",
            "X-Forwarded-For",
            "X-Forwarded-Proto",
            "Forwarded",
            "X-Real-IP",
            "User-Agent",
            "HX-Request",
            "HX-Target",
            "Accept-Language",
            "X-GitHub-Event",
            "X-GitHub-Delivery",
            "X-Gitlab-Event",
            "X-Slack-Request-Timestamp",
            "webhook-id",
            "webhook-timestamp",
            "webhook-signature",
            "Linear-Event",
            "Sentry-Hook-Resource",
            "X-HTTP-Method-Override",
            "Max-Forwards",
            "Via",
            "Date");

    private static final List<String> VALUES = List.of(
            "100-continue",
            "200-ok",
            "respond-async",
            "wait=1",
            "wait=0, wait=2",
            "wait=-1",
            "wait=99999999999999999999",
            "wait=\"1",
            "bytes=0-0",
            "bytes=-1",
            "bytes=5-1,,",
            "*",
            "*/*",
            "text/html",
            "application/json;q=0.1, text/html;q=2",
            "text/html;q=",
            "a/b/c",
            "gzip",
            "identity",
            "gzip, deflate, br;q=0",
            "close",
            "keep-alive",
            "upgrade, HTTP2-Settings",
            "h2c",
            "websocket",
            "AAMAAABkAAQAAP__",
            "trailers",
            "chunked",
            "0",
            "-5",
            "0x10",
            "+7",
            "5, 5",
            "5, 6",
            "null",
            "none",
            "same-origin",
            "cross-site",
            "http://localhost",
            "http://evil.example",
            "127.0.0.1",
            "::1",
            "for=\"[::1\";proto=https",
            "true",
            "en;q=0.5, de",
            "\"etag\"",
            "W/\"",
            "Thu, 01 Jan 1970 00:00:00 GMT",
            "application/json; charset=utf-8",
            "application/json;charset=\"utf-16\"",
            "application/x-www-form-urlencoded",
            "application/x-www-form-urlencoded; charset=x-nothing",
            "text/plain; charset=",
            "multipart/form-data; boundary=a",
            "multipart/form-data",
            "application/json; charset=utf-8; charset=utf-7",
            "a",
            "/",
            ";",
            "application/json;;;=",
            "image/png",
            "evt_1",
            "issues",
            "push");

    private final RandomValues random;
    private final RawSecrets secrets;

    RawHeaderGenerator(RandomValues random, RawSecrets secrets) {
        this.random = random;
        this.secrets = secrets;
    }

    /**
     * The secrets that requests have, and that nothing may show.
     *
     * @param operator the header {@code Authorization} of the operator
     * @param session the cookie of a login
     * @param signing what each hook's sender signs with
     */
    record RawSecrets(String token, String operator, String session, String signing) {}

    /** Credentials for {@code path}: mostly the right ones. */
    List<String> credentials(String path, String body) {
        List<String> lines = new ArrayList<>();
        boolean isConsole = path.startsWith("/console") || path.startsWith("/metrics");
        switch (random.below(10)) {
            case 0 -> {}
            case 1 ->
                lines.add("Authorization: "
                        + random.of(
                                "Bearer",
                                "Bearer ",
                                "Bearer wrong",
                                "bearer  " + secrets.token(),
                                "Basic",
                                "Basic !!!!",
                                "Basic =",
                                "Basic Og==",
                                "Basic " + "QUJD".repeat(3_000),
                                "Digest username=\"operator\"",
                                "Negotiate AAAA",
                                "Bearer \u00ff\u00fe",
                                "Basic " + base64(random.bytes(30)),
                                "Basic " + base64("operator:wrong")));
            case 2 -> {
                lines.add("Authorization: Bearer " + secrets.token());
                lines.add(random.of(
                        "Authorization: Bearer wrong",
                        "X-Service-Token: " + secrets.token(),
                        "Authorization: " + secrets.operator()));
            }
            case 3 ->
                lines.add(random.of("Cookie: ", "cookie:", "Cookie: a=b; ")
                        + random.of(
                                secrets.session(),
                                secrets.session() + "x",
                                random.any(),
                                "JSESSIONID=",
                                "$Version=1; JSESSIONID=\"a"));
            case 4 -> lines.add("X-Service-Token: " + random.of(secrets.token(), "", "\u00e4", random.visible(600)));
            case 5 ->
                lines.add("Authorization: "
                        + random.changed(isConsole ? secrets.operator() : "Bearer " + secrets.token()));
            default -> {
                if (isConsole) {
                    lines.add(
                            random.chance(50)
                                    ? "Authorization: " + secrets.operator()
                                    : "Cookie: " + secrets.session());
                } else if (random.chance(50)) {
                    lines.add("Authorization: Bearer " + secrets.token());
                }
            }
        }
        if (path.startsWith("/hooks/")) {
            lines.addAll(signature(path.substring("/hooks/".length()), body));
        }
        return lines;
    }

    /** A header line, perhaps folded or none at all. */
    String line() {
        String name = random.chance(80) ? random.of(READ) : random.chance(50) ? random.visible(12) : random.any();
        String value = random.chance(60) ? random.of(VALUES) : random.any();
        return switch (random.below(14)) {
            case 0 -> name + random.of(" : ", ":", "\t:", "", " ", ":: ", "=") + value;
            case 1 -> name + ": " + value + random.of("\r\n ", "\n\t", "\r ", "\r\n  : ") + value;
            case 2 -> random.of(" ", "\t", "\0") + name + ": " + value;
            case 3 -> name + ": " + random.changed(value + " ");
            case 4 -> name + ": " + value + "\r\n" + name + ": " + random.of(VALUES);
            default -> name + ": " + value;
        };
    }

    /** The headers of a signature, mostly the right one. */
    private List<String> signature(String hook, String body) {
        String signed = random.chance(85) ? body : body + " ";
        String seconds = String.valueOf(
                System.currentTimeMillis() / 1_000 + (random.chance(90) ? 0 : random.of(-100_000, 100_000)));
        List<String> lines =
                switch (hook) {
                    case "github" -> List.of("X-Hub-Signature-256: sha256=" + hex(signed));
                    case "gitlab" -> List.of("X-Gitlab-Token: " + secrets.signing());
                    case "stripe" -> List.of("Stripe-Signature: t=" + seconds + ",v1=" + hex(seconds + "." + signed));
                    case "slack" ->
                        List.of(
                                "X-Slack-Request-Timestamp: " + seconds,
                                "X-Slack-Signature: v0=" + hex("v0:" + seconds + ":" + signed));
                    case "sentry" -> List.of("Sentry-Hook-Signature: " + hex(signed));
                    case "pagerduty" -> List.of("X-PagerDuty-Signature: v1=" + hex(signed));
                    case "jira" -> List.of("X-Hub-Signature: sha256=" + hex(signed));
                    case "linear" -> List.of("Linear-Signature: " + hex(signed));
                    case "grafana" -> List.of("X-Grafana-Alerting-Signature: " + hex(signed));
                    case "standard" ->
                        List.of(
                                "webhook-id: " + random.visible(9),
                                "webhook-timestamp: " + seconds,
                                "webhook-signature: v1," + random.of(base64(signed), "", random.visible(60)));
                    default -> List.of();
                };
        return random.chance(90) ? lines : lines.stream().map(random::changed).toList();
    }

    private String hex(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secrets.signing().getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.ISO_8859_1)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
