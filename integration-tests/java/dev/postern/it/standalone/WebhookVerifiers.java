package dev.postern.it.standalone;

import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.postern.NpmPackage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The libraries {@code standardwebhooks} and {@code svix} from npm, as a receiver of webhooks uses them. */
final class WebhookVerifiers {

    private static final String GROUP = "webhooks";
    private static final String SCRIPT = "verify-webhooks.mjs";
    private static final List<NpmPackage> LIBRARIES =
            List.of(new NpmPackage(GROUP, "standardwebhooks", "1.1.1"), new NpmPackage(GROUP, "svix", "2.5.0"));

    private final Path script;

    private WebhookVerifiers(Path script) {
        this.script = script;
    }

    /** Installs them; skips the test where that can't be done. */
    static WebhookVerifiers installed() throws IOException, InterruptedException {
        for (NpmPackage library : LIBRARIES) {
            library.install();
        }
        Path script = NpmPackage.directory(GROUP).resolve(SCRIPT);
        try (InputStream in = WebhookVerifiers.class.getResourceAsStream("/standalone/" + SCRIPT)) {
            Files.copy(Objects.requireNonNull(in, SCRIPT), script, StandardCopyOption.REPLACE_EXISTING);
        }
        return new WebhookVerifiers(script);
    }

    /** What they say of each request, in a line. */
    List<String> verdicts(HomeFixture home, String secret, List<LoggedRequest> requests) {
        PosternProcess node = home.command(List.of("node", script.toString(), secret));
        node.writeLine(requests.stream().map(WebhookVerifiers::json).collect(Collectors.joining("\n")));
        node.awaitExit();
        return node.out().lines().toList();
    }

    private static String json(LoggedRequest request) {
        String headers = Stream.of("webhook-id", "webhook-timestamp", "webhook-signature")
                .map(name -> "\"" + name + "\":\"" + request.getHeader(name) + "\"")
                .collect(Collectors.joining(","));
        return "{\"headers\":{" + headers + "},\"body\":\""
                + Base64.getEncoder().encodeToString(request.getBody()) + "\"}";
    }
}
