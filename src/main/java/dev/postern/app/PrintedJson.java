package dev.postern.app;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Stream;

/** A maker of writers of JSON for the standard output. Letters that its charset may not have are escaped. */
final class PrintedJson {

    private PrintedJson() {}

    static ObjectWriter writer() {
        return JsonMapper.builder()
                .configure(JsonWriteFeature.ESCAPE_NON_ASCII, !isUtf8())
                .build()
                .writerWithDefaultPrettyPrinter();
    }

    /** Whether the standard output is in UTF-8. Java 17 and 19 name its charset in different properties, if it is no file. */
    private static boolean isUtf8() {
        String charset = Stream.of("stdout.encoding", "sun.stdout.encoding")
                .map(System::getProperty)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(Charset.defaultCharset().name());
        return charset.equalsIgnoreCase(StandardCharsets.UTF_8.name());
    }
}
