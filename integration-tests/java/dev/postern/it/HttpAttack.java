package dev.postern.it;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.annotations.SerializedName;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * An entry of {@code attacks/http-attacks.json}; its member {@code about} explains the others. Members that an entry
 * doesn't have are null.
 *
 * @param accept statuses that are right, and the word {@code close} where no answer is right too
 * @param run whether an event or a run may come of it
 */
record HttpAttack(
        String name,
        String group,
        String raw,
        String head,
        @SerializedName("body_b64") String bodyBase64,
        List<List<Object>> parts,
        String sequence,
        String header,
        List<Object> accept,
        boolean run,
        String why) {

    static Stream<HttpAttack> all() {
        Gson gson = new Gson();
        try (Reader file = new InputStreamReader(
                Objects.requireNonNull(HttpAttack.class.getResourceAsStream("/attacks/http-attacks.json")),
                StandardCharsets.UTF_8)) {
            return gson.fromJson(file, JsonObject.class).getAsJsonArray("attacks").asList().stream()
                    .map(entry -> gson.fromJson(entry, HttpAttack.class));
        } catch (IOException e) {
            throw new UncheckedIOException("the attacks can't be read", e);
        }
    }

    /** Whether {@code status} is among the right ones; an agent turn that is accepted is answered 202 where others say 200. */
    boolean accepts(int status) {
        return accept.contains((double) (status == 202 ? 200 : status));
    }

    /** Whether no answer is right too. */
    boolean allowsClose() {
        return accept.contains("close");
    }

    /** The exact bytes, for the web application at {@code contextPath} of {@code host}. */
    byte[] bytes(String contextPath, String host, String token) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] body = body();
        String start = raw;
        if (head != null) {
            start = head.contains("Content-Length:") || head.endsWith("\r\n\r\n")
                    ? head
                    : head + "Content-Length: " + body.length + "\r\nConnection: close\r\n\r\n";
        }
        String request = start.replaceFirst("^(\\S+) /", "$1 " + contextPath + "/")
                .replace("{HOST}", host)
                .replace("{TOKEN}", token)
                .replace("{TOKEN_PREFIX}", token.substring(0, token.length() / 2));
        bytes.writeBytes(request.getBytes(StandardCharsets.ISO_8859_1));
        bytes.writeBytes(body);
        return bytes.toByteArray();
    }

    private byte[] body() {
        if (bodyBase64 != null) {
            return Base64.getDecoder().decode(bodyBase64);
        }
        if (parts == null) {
            return new byte[0];
        }
        StringBuilder body = new StringBuilder();
        for (List<Object> part : parts) {
            body.append(((String) part.get(0)).repeat(((Double) part.get(1)).intValue()));
        }
        return body.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return name;
    }
}
