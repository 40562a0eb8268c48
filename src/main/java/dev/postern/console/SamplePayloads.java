package dev.postern.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The sample payloads for mapping trials, one for each preset. They are made up, in the form that the sender documents. */
final class SamplePayloads {

    /** The empty sample, for a form without a choice. */
    static final Sample NONE = new Sample("", "", "");

    private final Map<String, Sample> byName;

    private SamplePayloads() {
        this.byName = read();
    }

    /** The samples of this build, which are read at the first call. */
    static SamplePayloads shipped() {
        return Held.SAMPLES;
    }

    private static final class Held {
        static final SamplePayloads SAMPLES = new SamplePayloads();
    }

    /**
     * A request as its sender would send it.
     *
     * @param hook the path below the hook prefix
     * @param payload JSON
     * @param headers the headers, a line each
     */
    record Sample(String hook, String payload, String headers) {}

    List<String> names() {
        return List.copyOf(byName.keySet());
    }

    /** The sample with the name {@code name}. */
    Sample named(String name) {
        @Nullable Sample sample = byName.get(name);
        if (sample == null) {
            throw new ParameterException("sample must be one of " + String.join(", ", byName.keySet()) + ".");
        }
        return sample;
    }

    private static Map<String, Sample> read() {
        ObjectMapper mapper = new ObjectMapper();
        try (InputStream file = SamplePayloads.class.getResourceAsStream("samples.json")) {
            Map<String, Sample> samples = new LinkedHashMap<>();
            for (JsonNode sample : mapper.readTree(Objects.requireNonNull(file, "this build lacks samples.json"))) {
                String payload = mapper.writerWithDefaultPrettyPrinter().writeValueAsString(sample.get("payload"));
                samples.put(
                        sample.get("name").textValue(),
                        new Sample(sample.get("hook").textValue(), payload, lines(sample.get("headers"))));
            }
            return samples;
        } catch (IOException e) {
            throw new UncheckedIOException("samples.json can't be read", e);
        }
    }

    private static String lines(JsonNode headers) {
        List<String> lines = new ArrayList<>();
        headers.properties()
                .forEach(header ->
                        lines.add(header.getKey() + ": " + header.getValue().textValue()));
        return String.join("\n", lines);
    }
}
