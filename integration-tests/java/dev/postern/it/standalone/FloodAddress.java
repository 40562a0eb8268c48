package dev.postern.it.standalone;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An address of Postern, with a request to it up to the length of the body. */
enum FloodAddress {
    HOOK_BY_TOKEN("POST /hooks/wake", "Authorization: Bearer " + HomeFixture.TOKEN, true),
    HOOK_BY_SIGNATURE("POST /hooks/github", "X-Hub-Signature-256: sha256=" + "0".repeat(64), true),
    HOOK_WITH_WRONG_TOKEN("POST /hooks/wake", "Authorization: Bearer wrong", false),
    UNKNOWN_HOOK("POST /hooks/nothing", "Authorization: Bearer " + HomeFixture.TOKEN, true),
    RUN("GET /hooks/runs/run_0", "Authorization: Bearer " + HomeFixture.TOKEN, false),
    LOGIN("POST /console/login", "Content-Type: application/x-www-form-urlencoded", false),
    PAGE("GET /console/runs", "Accept: text/html", false),
    ASSET("GET /console/assets/{script}", "Accept: */*", false),
    CONSOLE_API("POST /console/api/try", "Content-Type: application/json", true),
    CONSOLE_API_AS_NOBODY("POST /console/api/try", "Accept: */*", false),
    METRICS("GET /metrics", "Accept: */*", false),
    HEALTH("GET /health/live", "Accept: */*", false),
    ODD_PATH("POST /hooks/..;/metrics", "Accept: */*", false),
    ELSEWHERE("POST /nothing", "Accept: */*", false);

    private static final Pattern LARGEST_ASSET = Pattern.compile("assets/(htmx-[0-9a-f]+\\.js)");

    private final String line;
    private final String header;
    private final boolean takesLargeBodies;

    FloodAddress(String line, String header, boolean takesLargeBodies) {
        this.line = line;
        this.header = header;
        this.takesLargeBodies = takesLargeBodies;
    }

    boolean takesLargeBodies() {
        return takesLargeBodies;
    }

    /** The head of a request that announces a body of {@code announced} bytes. */
    String head(HomeFixture home, PosternProcess postern, int announced) throws IOException {
        String user = this == CONSOLE_API ? "Authorization: " + home.operator() + "\r\n" : "";
        String request = this == ASSET ? line.replace("{script}", largestAsset(postern)) : line;
        return request + " HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n" + user + "Content-Length: " + announced
                + "\r\n\r\n";
    }

    private static String largestAsset(PosternProcess postern) throws IOException {
        String login = "GET /console/login HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        Matcher name =
                LARGEST_ASSET.matcher(RawExchange.with(postern.base(), login).answer());
        if (!name.find()) {
            throw new IllegalStateException("the login page names no script");
        }
        return name.group(1);
    }
}
