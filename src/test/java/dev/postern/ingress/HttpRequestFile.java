package dev.postern.ingress;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file with a request as it is sent: request line, header fields, an empty line, and the body byte for byte.
 *
 * @param hook the part of the request line after {@code /hooks/}
 * @param headers the headers by lower-case name
 * @param body the bytes of the body
 */
@SuppressWarnings("ArrayRecordComponent") // read once, never compared
public record HttpRequestFile(String hook, Map<String, String> headers, byte[] body) {

    public static HttpRequestFile read(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        String text = new String(bytes, ISO_8859_1);
        String newline = text.contains("\r\n\r\n") && text.indexOf("\r\n") < text.indexOf('\n') ? "\r\n" : "\n";
        int end = text.indexOf(newline + newline);
        String[] head = text.substring(0, end).split(newline, -1);
        String[] requestLine = head[0].split(" ", -1);
        if (!requestLine[0].equals("POST") || !requestLine[1].startsWith("/hooks/")) {
            throw new IllegalArgumentException(file + " begins with [" + head[0] + "]");
        }
        Map<String, String> headers = new LinkedHashMap<>();
        for (String line : List.of(head).subList(1, head.length)) {
            String[] field = line.split(": ", 2);
            headers.put(field[0].toLowerCase(Locale.ROOT), field[1]);
        }
        return new HttpRequestFile(
                requestLine[1].substring("/hooks/".length()),
                headers,
                Arrays.copyOfRange(bytes, end + 2 * newline.length(), bytes.length));
    }

    @Nullable
    String header(String name) {
        return headers.get(name.toLowerCase(Locale.ROOT));
    }
}
