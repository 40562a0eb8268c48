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

/** Payloads to try mappings with, one for each preset: made up, and in the shape that the sender has documented. */
final class SamplePayloads {

    /** Where none was chosen. */
    static final Sample NONE = new Sample("", "", "");

    private final Map<String, Sample> byName;

    private SamplePayloads() {
        this.byName = read();
    }

    /** Those of this build, read when they are first asked for. */
    static SamplePayloads shipped() {
        return Held.SAMPLES;
    }

    private static final class Held {
        static final SamplePayloads SAMPLES = new SamplePayloads();
    }

    /**
     * What a sender would send.
     *
     * @param headers a line each
     */
    record Sample(String hook, String payload, String headers) {}

    List<String> names() {
        return List.copyOf(byName.keySet());
    }

    /** The sample called {@code name}. */
    Sample named(String name) {
        @Nullable Sample sample = byName.get(name);
        if (sample == null) {
            throw new ParameterException("sample is none of " + String.join(", ", byName.keySet()) + ".");
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
