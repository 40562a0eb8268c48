package dev.postern.it.standalone;

import java.util.List;

/** A generator of the lines that say how long a body is, and of the body as it is then sent. */
final class RawFramingGenerator {

    private final RandomValues random;

    private boolean isFramed;

    RawFramingGenerator(RandomValues random) {
        this.random = random;
    }

    /** Whether the body that was framed last has its length in front. */
    boolean isFramed() {
        return isFramed;
    }

    /** Adds the lines that say how long the body is, rightly or not, and gives the body as it is sent. */
    String framed(String body, List<String> lines) {
        isFramed = false;
        switch (random.below(20)) {
            case 0 -> lines.add("Content-Length: " + Math.max(0, body.length() + random.of(-1, 1, -20, 20)));
            case 1 ->
                lines.add("Content-Length: "
                        + random.of(
                                "-1",
                                "+" + body.length(),
                                "0x" + Integer.toHexString(body.length()),
                                body.length() + ", " + body.length(),
                                "9999999999999999999",
                                "2147483648",
                                "",
                                "a",
                                body.length() + " " + body.length(),
                                "0" + body.length()));
            case 2 ->
                lines.addAll(List.of(
                        "Content-Length: " + body.length(), "Content-Length: " + random.of(body.length(), 0, 5)));
            case 3 -> {
                lines.addAll(List.of("Content-Length: " + random.of(body.length(), 4), "Transfer-Encoding: chunked"));
                return chunked(body);
            }
            case 4 -> {
                lines.add("Transfer-Encoding: "
                        + random.of(
                                "chunked, chunked",
                                "gzip, chunked",
                                "identity",
                                "xchunked",
                                "chunked\u000b",
                                " chunked",
                                "Chunked",
                                "chunked;a=b",
                                "chunked, gzip"));
                return random.chance(70) ? chunked(body) : body;
            }
            case 5, 6, 7, 8 -> {
                lines.add("Transfer-Encoding: chunked");
                return chunked(body);
            }
            case 9 -> {
                return random.chance(50) ? body : "";
            }
            case 10 -> lines.addAll(List.of("Expect: 100-continue", "Content-Length: " + body.length()));
            default -> {
                lines.add("Content-Length: " + body.length());
                isFramed = true;
            }
        }
        return body;
    }

    private String chunked(String body) {
        StringBuilder chunked = new StringBuilder();
        boolean isBroken = random.chance(20);
        int at = 0;
        while (at < body.length()) {
            int size = Math.min(body.length() - at, 1 + random.below(random.chance(50) ? 20 : 9_000));
            String hex = Integer.toHexString(size);
            chunked.append(
                            isBroken && random.chance(20)
                                    ? random.of(
                                            "0x" + hex,
                                            "-" + hex,
                                            hex + "f",
                                            "",
                                            " " + hex,
                                            hex + " ",
                                            "ffffffffffffffff",
                                            "g",
                                            "0".repeat(40) + hex)
                                    : hex)
                    .append(
                            random.chance(10)
                                    ? random.of(
                                            ";a=b", ";a", ";\"", " ; a=\"\\\"\"", ";" + "x".repeat(9_000), ";a=\u00e4")
                                    : "")
                    .append(isBroken && random.chance(20) ? random.of("\n", "\r", "") : "\r\n")
                    .append(body, at, at + size)
                    .append(isBroken && random.chance(20) ? random.of("\n", "", "xx") : "\r\n");
            at += size;
        }
        return chunked.append(
                        isBroken && random.chance(30) ? random.of("", "0", "0\r\n", "00000\r\n", "-0\r\n") : "0\r\n")
                .append(
                        random.chance(10)
                                ? random.of(
                                        "X-Trailer: a\r\n",
                                        "Content-Length: 3\r\n",
                                        "Authorization: Bearer x\r\n",
                                        ": \r\n",
                                        "a",
                                        "X: " + "y".repeat(9_000) + "\r\n")
                                : "")
                .append(isBroken && random.chance(20) ? "" : "\r\n")
                .toString();
    }
}
