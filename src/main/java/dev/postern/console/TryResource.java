package dev.postern.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.config.HookSettings;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A resource that maps a payload or a sample on trial, and performs no action. */
@RequiresUser
public final class TryResource {

    /**
     * The longest payload, which is what a hook takes by default: in characters, and in bytes where a page offers it. As
     * a browser encodes so many bytes, they are at most three quarters of a form.
     */
    private static final int LONGEST_PAYLOAD = 262_144;

    /** Enough for the prefix and the longest path of a hook. */
    private static final int LONGEST_HOOK = 2_000;

    private static final int LONGEST_HEADERS = 10_000;
    private static final int LONGEST_QUERY = 10_000;
    private static final int LONGEST_NAME = 200;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final MappingTrials trials;
    private final HookSettings hooks;

    TryResource(MappingTrials trials, HookSettings hooks) {
        this.trials = trials;
        this.hooks = hooks;
    }

    /**
     * Why a page does not offer a trial of {@code payload}, in a sentence; null where it does. A browser sends each end of a
     * line as two characters.
     */
    static @Nullable String problem(String payload) {
        String sent = payload.replaceAll("\r\n?|\n", "\r\n");
        return sent.getBytes(StandardCharsets.UTF_8).length > LONGEST_PAYLOAD
                ? "This payload has more than the " + LONGEST_PAYLOAD
                        + " bytes that can be tried here; the command explain takes larger ones."
                : null;
    }

    /**
     * The form and the result of a trial.
     *
     * @param samples the names of the samples
     * @param sample the name of the chosen sample; null for none
     * @param hook the path of a hook, with the hook prefix or without it
     * @param headers the headers, a line each
     * @param query the query of the address, without the question mark
     * @param explanation the result; null where nothing was tried
     * @param messages the texts that a model would get
     */
    record Shown(
            List<String> samples,
            @Nullable String sample,
            String hook,
            String payload,
            String headers,
            String query,
            @Nullable ObjectNode explanation,
            List<String> messages) {}

    /** The form, filled with the sample {@code sample} where one is chosen. */
    @GET
    @PageTemplate("try")
    public Shown form(@QueryParam("sample") @Nullable String sample) {
        return tried(sample == null ? Map.of() : Map.of("sample", sample));
    }

    /** Tries the payload of a form. */
    @POST
    @ForViewers
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    @PageTemplate("try")
    public Shown sent(MultivaluedMap<String, String> form) {
        Map<String, String> first = new HashMap<>();
        form.forEach((name, values) -> first.put(name, values.get(0)));
        return tried(first);
    }

    /** Tries the payload of a JSON object, whose strings are taken as they are and all other values as JSON. */
    @POST
    @ForViewers
    @Consumes(MediaType.APPLICATION_JSON)
    public Shown sent(@Nullable Map<String, JsonNode> json) {
        Map<String, String> texts = new HashMap<>();
        if (json != null) {
            json.forEach((name, value) -> texts.put(name, value.isTextual() ? value.textValue() : value.toString()));
        }
        return tried(texts);
    }

    private Shown tried(Map<String, String> sent) {
        SamplePayloads samplePayloads = SamplePayloads.shipped();
        @Nullable String name = text(sent, "sample", LONGEST_NAME);
        @Nullable String payload = text(sent, "payload", LONGEST_PAYLOAD);
        if (payload == null) {
            SamplePayloads.Sample sample = name == null ? SamplePayloads.NONE : samplePayloads.named(name.strip());
            return new Shown(
                    samplePayloads.names(),
                    name,
                    sample.hook(),
                    sample.payload(),
                    sample.headers(),
                    "",
                    null,
                    List.of());
        }
        @Nullable String hook = text(sent, "hook", LONGEST_HOOK);
        if (hook == null) {
            throw new ParameterException("hook is missing: it is the path below the hook prefix, such as github.");
        }
        @Nullable String headers = text(sent, "headers", LONGEST_HEADERS);
        String lines = headers == null ? "" : headers;
        @Nullable String query = text(sent, "query", LONGEST_QUERY);
        String parameters = query == null ? "" : query.strip();
        MappingTrials.TrialResult trialResult = trials.of(new MappingTrials.TrialRequest(
                hooks.below(hook.strip()), payload, byName(lines), byParameter(parameters)));
        return new Shown(
                samplePayloads.names(),
                name,
                hook.strip(),
                payload,
                lines,
                parameters,
                trialResult.explanation(),
                trialResult.messages());
    }

    private static @Nullable String text(Map<String, String> sent, String name, int maxLength) {
        return ParameterConverterProvider.text(name, sent.get(name), maxLength);
    }

    private static Map<String, String> byMember(String name, String json) {
        try {
            return JSON.readValue(json, new TypeReference<Map<String, String>>() {});
        } catch (JsonProcessingException e) {
            throw new ParameterException(name + " is not a JSON object of strings.");
        }
    }

    /** Reads a query as an address has it, or as programs write it, in a JSON object. The first value of a parameter counts. */
    private static Map<String, String> byParameter(String query) {
        if (query.startsWith("{")) {
            return byMember("query", query);
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (String parameter : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            String[] parts = parameter.split("=", 2);
            try {
                values.putIfAbsent(
                        URLDecoder.decode(parts[0], StandardCharsets.UTF_8),
                        parts.length == 1 ? "" : URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
            } catch (IllegalArgumentException e) {
                throw new ParameterException(
                        "query has a malformed escape. Write it as an address has it, such as ref=main&title=a+b.");
            }
        }
        return values;
    }

    /** Reads headers as people write them, a line each, or as programs do, in a JSON object. */
    private static Map<String, String> byName(String lines) {
        if (lines.strip().startsWith("{")) {
            return byMember("headers", lines);
        }
        Map<String, String> headers = new LinkedHashMap<>();
        for (String line : lines.lines().toList()) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.put(
                        line.substring(0, colon).strip(),
                        line.substring(colon + 1).strip());
            } else if (!line.isBlank()) {
                throw new ParameterException(
                        "headers has a line without a name and a colon. Write each header as name: value.");
            }
        }
        return headers;
    }
}
