package dev.postern.it.standalone;

import com.google.gson.JsonObject;
import dev.postern.it.standalone.RawHeaderGenerator.RawSecrets;
import dev.postern.it.standalone.RawTargetGenerator.RawAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A generator of what a connection sends, byte by byte: a grammar of requests, with mutations of what it makes. A seed
 * repeats it.
 */
final class RawRequestGenerator {

    private final RandomValues random;
    private final RawTargetGenerator targets;
    private final RawHeaderGenerator headers;
    private final RawBodyGenerator bodies;
    private final RawExampleGenerator examples;
    private final RawFramingGenerator framing;

    /** Whether the request that was made last is right but for its target and its body. */
    private boolean isPlainRequest;

    /**
     * The state of a Postern that requests are made for.
     *
     * @param document its OpenAPI document
     * @param ids ids of what it has
     * @param canary a word for the texts of requests
     * @param samples real requests by their hook, each with its headers
     */
    record Scene(
            JsonObject document,
            List<String> ids,
            RawSecrets secrets,
            String canary,
            Map<String, List<String>> samples) {}

    /** A way to end what is sent. */
    enum Ending {
        /** Nothing more comes, and the answers are read to their end. */
        HALF_CLOSE,
        /** The connection stays open, and the answer to the one request is read. */
        OPEN,
        /** The connection is closed at once. */
        CLOSE,
        /** The connection is broken off. */
        RESET
    }

    /**
     * The input of a connection.
     *
     * @param text its bytes, as ISO 8859-1
     * @param pieces how many writes it takes
     */
    record RawRequest(String text, int pieces, Ending ending) {

        /** Whether a response may still be read. */
        boolean isAnswered() {
            return ending == Ending.HALF_CLOSE || ending == Ending.OPEN;
        }

        /** The bytes as a text in which each is seen. */
        @Override
        public String toString() {
            StringBuilder seen = new StringBuilder();
            for (int i = 0; i < text.length(); i++) {
                char each = text.charAt(i);
                switch (each) {
                    case '\r' -> seen.append("\\r");
                    case '\n' -> seen.append("\\n\n");
                    case '\\' -> seen.append("\\\\");
                    default -> seen.append(each >= ' ' && each < 0x7f ? each : String.format("\\x%02x", (int) each));
                }
            }
            return seen.append("\n(")
                    .append(ending)
                    .append(", in ")
                    .append(pieces)
                    .append(" pieces)")
                    .toString();
        }
    }

    RawRequestGenerator(long seed, Scene scene) {
        this.random = new RandomValues(seed);
        this.examples = new RawExampleGenerator(random, scene.samples(), scene.canary());
        this.framing = new RawFramingGenerator(random);
        this.targets = new RawTargetGenerator(random, scene.document(), scene.ids());
        this.headers = new RawHeaderGenerator(random, scene.secrets());
        this.bodies = new RawBodyGenerator(
                random,
                List.of(
                        "name=operator&password=" + scene.canary() + "&next=runs",
                        "name=&password=",
                        "csrf=0&ids=" + scene.ids().get(0),
                        "%=%&&=a&csrf"),
                scene.canary());
    }

    RawRequest next() {
        int requests = random.chance(8) ? 2 + random.below(3) : 1;
        StringBuilder sent = new StringBuilder();
        for (int i = 0; i < requests; i++) {
            sent.append(request());
        }
        boolean isAsMade = random.chance(70);
        String text = isAsMade ? sent.toString() : random.changed(sent.toString());
        Ending ending =
                switch (random.below(20)) {
                    case 0 -> Ending.CLOSE;
                    case 1 -> Ending.RESET;
                    default -> Ending.HALF_CLOSE;
                };
        if (isAsMade
                && requests == 1
                && isPlainRequest
                && !text.stripLeading().startsWith("HEAD ")
                && random.chance(20)) {
            ending = Ending.OPEN;
        }
        return new RawRequest(text, random.chance(15) ? 2 + random.below(4) : 1, ending);
    }

    private String request() {
        RawAddress address = targets.address();
        List<String> lines = new ArrayList<>();
        String body = bodies.body(examples.example(address.path(), lines));
        String type = random.of(
                "application/json", "application/json", "application/x-www-form-urlencoded", "text/plain", "");
        lines.addAll(headers.credentials(address.path(), body));
        if (!type.isEmpty() && random.chance(80)) {
            lines.add("Content-Type: " + type);
        }
        if (random.chance(8)) {
            lines.add("Prefer: wait=" + random.below(3));
        }
        if (random.chance(10)) {
            lines.add("Idempotency-Key: "
                    + (random.chance(70)
                            ? random.visible(20) + random.of("", "\u00e4", "\u00c3\u00a4")
                            : random.any()));
        }
        String encoding = random.chance(6) ? random.of("gzip", "deflate", "identity", "br", "gzip, gzip") : "";
        if (!encoding.isEmpty()) {
            lines.add("Content-Encoding: " + encoding);
            body = random.chance(80) ? bodies.encoded(body, encoding) : body;
        }
        boolean isPlain = random.chance(60);
        for (int more = isPlain ? 0 : random.below(4); more > 0; more--) {
            lines.add(headers.line());
        }
        String version = random.chance(90)
                ? " HTTP/1.1"
                : random.of(
                        " HTTP/1.0",
                        "",
                        " HTTP/0.9",
                        " HTTP/2.0",
                        " HTTP/1.2",
                        " HTTP/9.9",
                        " http/1.1",
                        " HTTP/1.1 x",
                        " FTP/1.1");
        String host = random.chance(96)
                ? "Host: localhost"
                : random.of("", "Host:", "Host: a\r\nHost: b", "Host: [::1", "Host: a b", "Host: " + random.any());
        if (!host.isEmpty()) {
            lines.add(0, host);
        }
        String framed = framing.framed(body, lines);
        isPlainRequest = framing.isFramed() && isPlain && version.equals(" HTTP/1.1") && host.equals("Host: localhost");
        String start = address.method() + " " + targets.target(address.path()) + version + "\r\n";
        if (random.chance(1)) {
            start = random.of(
                            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                            "\r\n",
                            "\r\n\r\n\r\n",
                            "\u0016\u0003\u0001\u0002",
                            "PROXY TCP4 1.1.1.1 2.2.2.2 1 2\r\n")
                    + start;
        }
        return start + String.join("\r\n", lines) + "\r\n\r\n" + framed;
    }
}
