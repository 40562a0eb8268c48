package dev.postern.it;

import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.stream.Collectors;

/** An HTTP client that sends a test's requests to a running Postern. */
abstract class PosternClient {

    private String hooks = "hooks";

    /** The web application's address, with a slash at its end. */
    abstract URI site();

    /** What the web application runs in. */
    abstract DeploymentHost host();

    /** Where the web application keeps its token. */
    DeploymentHome home() {
        return DeploymentHome.current();
    }

    /** Says where the hooks are, for this test: not at {@code hooks}, but at another path inside the web application. */
    final void hooksAt(String path) {
        hooks = path;
    }

    final String token() {
        return home().token();
    }

    final String bearer() {
        return "Authorization: Bearer " + token();
    }

    /** A request without a token to a path inside the web application, GET until something else is said. */
    final Request to(String path) {
        return new Request(site(), path, hooks);
    }

    /** A GET with the token. */
    final Request get(String path) {
        return to(path).bearer(token());
    }

    /** A POST with the token. */
    final Request post(String path, String body) {
        return get(path).method("POST", body);
    }

    final Request wake(String body) {
        return post("hooks/wake", body);
    }

    final Request agent(String body) {
        return post("hooks/agent", body);
    }

    final MetricsSnapshot metrics() {
        return new MetricsSnapshot(to("metrics").send());
    }

    final RawConnection connection() throws IOException {
        return RawConnection.to(site());
    }

    /** Sends a request as it stands on a connection of its own. */
    final RawResponse exchange(String request) throws IOException {
        try (RawConnection rawConnection = connection()) {
            return rawConnection.send(request).answer().orElseThrow();
        }
    }

    /** The head of a request to a path inside the web application ({@code POST hooks/wake}), a header a line. */
    final String head(String methodAndPath, String... headers) {
        String[] parts = methodAndPath.split(" ", 2);
        return parts[0] + " " + site().getRawPath() + parts[1] + " HTTP/1.1\r\nHost: " + site().getAuthority() + "\r\n"
                + Arrays.stream(headers).map(header -> header + "\r\n").collect(Collectors.joining()) + "\r\n";
    }
}
