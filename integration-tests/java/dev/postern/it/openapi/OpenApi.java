package dev.postern.it.openapi;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.postern.it.openapi.PathSpecification.Operation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;

/**
 * The OpenAPI document that the packaged WAR serves, with checks of responses against it. Safe for use by many threads.
 */
public final class OpenApi {

    private static final String JAR = "WEB-INF/lib/postern-classes.jar";
    private static final String ENTRY = "dev/postern/console/openapi.json";
    private static final Map<String, OpenApi> BY_HOOKS = new ConcurrentHashMap<>();

    private final JsonObject document;
    private final Schemas schemas;
    private final List<PathSpecification> paths = new ArrayList<>();
    private final Operation elsewhere;
    private final Set<String> meaningful = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    private OpenApi(JsonObject document) {
        this.document = document;
        this.schemas = new Schemas(document.getAsJsonObject("components").getAsJsonObject("schemas"));
        this.elsewhere = operation(document.getAsJsonObject("x-other-requests"));
        for (Map.Entry<String, JsonElement> path :
                document.getAsJsonObject("paths").entrySet()) {
            Map<String, Operation> operations = new HashMap<>();
            for (Map.Entry<String, JsonElement> operation :
                    path.getValue().getAsJsonObject().entrySet()) {
                operations.put(
                        operation.getKey().toUpperCase(Locale.ROOT),
                        operation(operation.getValue().getAsJsonObject()));
            }
            paths.add(new PathSpecification(path.getKey(), operations));
        }
        paths.sort(PathSpecification.CLOSEST_FIRST);
        schemas.complete();
    }

    /**
     * Fails where the document doesn't say that this may be answered, or doesn't know of what was sent and accepted. What a server
     * answers by itself, and pages, it leaves out.
     */
    public static void check(ActualRequest actualRequest, ActualResponse actualResponse) {
        if (actualRequest.isPage() || !actualResponse.isOurs() || actualResponse.isCutOff()) {
            return;
        }
        if (actualRequest.isOdd()) {
            if (actualResponse.status() < 300 && !actualRequest.namesASession()) {
                throw new AssertionError(
                        actualRequest + " was answered " + actualResponse.status() + ", under whatever name");
            }
            return;
        }
        List<String> faults = BY_HOOKS.computeIfAbsent(actualRequest.hooks(), OpenApi::packaged)
                .faults(actualRequest, actualResponse);
        if (!faults.isEmpty()) {
            throw new AssertionError("openapi.json does not say this of the answer to " + actualRequest + ": "
                    + String.join("; ", faults) + "\nThe answer: " + actualResponse);
        }
    }

    /** What the document doesn't say of {@code given}; nothing where it says all. */
    List<String> faults(ActualRequest actualRequest, ActualResponse actualResponse) {
        Operation operation = operation(actualRequest);
        ResponseSpecification response = operation.responses().get(String.valueOf(actualResponse.status()));
        if (response == null) {
            return List.of("the status is " + actualResponse.status() + " and not one of "
                    + operation.responses().keySet());
        }
        List<String> faults =
                new ArrayList<>(response.faults(actualResponse, actualRequest.isHead(), meaningful, schemas));
        if (actualResponse.status() < 300
                && operation.body() != null
                && !actualRequest.body().isEmpty()) {
            StrictJsonReader.read(actualRequest.body()).ifPresent(sent -> schemas.faults(operation.body(), sent)
                    .forEach(fault -> faults.add("it accepts what " + fault)));
        }
        return faults;
    }

    /**
     * The operation of the closest path, or of one with as many segments that has the method: {@code GET runs/again} is one of
     * {@code runs/{id}}. HEAD is answered as GET is, or as a method that there is not.
     */
    private Operation operation(ActualRequest actualRequest) {
        String method = actualRequest.isHead() ? "GET" : actualRequest.method();
        List<PathSpecification> there = paths.stream()
                .filter(pathSpecification -> pathSpecification.isAt(actualRequest.documentedPath()))
                .toList();
        Operation named = there.stream()
                .filter(pathSpecification ->
                        pathSpecification.segments() == there.get(0).segments())
                .map(pathSpecification -> pathSpecification.operations().get(method))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(elsewhere);
        if (!actualRequest.isHead()) {
            return named;
        }
        Map<String, ResponseSpecification> responses = new HashMap<>(elsewhere.responses());
        responses.putAll(named.responses());
        return new Operation(null, responses);
    }

    private Operation operation(JsonObject operation) {
        URI body = operation.has("requestBody")
                ? schemas.add(operation
                        .getAsJsonObject("requestBody")
                        .getAsJsonObject("content")
                        .getAsJsonObject("application/json")
                        .get("schema"))
                : null;
        return new Operation(body, responses(operation));
    }

    private Map<String, ResponseSpecification> responses(JsonObject operation) {
        Map<String, ResponseSpecification> responses = new LinkedHashMap<>();
        operation
                .getAsJsonObject("responses")
                .entrySet()
                .forEach(response -> responses.put(
                        response.getKey(), response(resolved(response.getValue().getAsJsonObject()))));
        return responses;
    }

    private ResponseSpecification response(JsonObject response) {
        Map<String, ResponseSpecification.Header> headers = new HashMap<>();
        members(response, "headers").forEach((name, value) -> {
            JsonObject header = resolved(value.getAsJsonObject());
            boolean required = header.has("required") && header.get("required").getAsBoolean();
            headers.put(name, new ResponseSpecification.Header(required, schemas.add(header.get("schema"))));
            meaningful.add(name);
        });
        Map<String, URI> bodies = new HashMap<>();
        members(response, "content")
                .forEach((type, body) ->
                        bodies.put(type, schemas.add(body.getAsJsonObject().get("schema"))));
        return new ResponseSpecification(headers, bodies);
    }

    private static Map<String, JsonElement> members(JsonObject object, String name) {
        return object.has(name) ? object.getAsJsonObject(name).asMap() : Map.of();
    }

    /** What {@code object} refers to; itself where it refers to nothing. */
    private JsonObject resolved(JsonObject object) {
        if (!object.has("$ref")) {
            return object;
        }
        JsonObject found = document;
        for (String name :
                object.get("$ref").getAsString().substring("#/".length()).split("/", -1)) {
            found = found.getAsJsonObject(name);
        }
        return found;
    }

    /** The document {@code json} as a Postern serves it that has its hooks at {@code hooks}. */
    static OpenApi of(String json, String hooks) {
        String text = json.replace("\"/hooks/", "\"/" + hooks + "/");
        return new OpenApi(JsonParser.parseString(text).getAsJsonObject());
    }

    private static OpenApi packaged(String hooks) {
        try (ZipFile war = new ZipFile(System.getProperty("it.war"));
                ZipInputStream jar = new ZipInputStream(war.getInputStream(war.getEntry(JAR)))) {
            for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
                if (entry.getName().equals(ENTRY)) {
                    return of(new String(jar.readAllBytes(), StandardCharsets.UTF_8), hooks);
                }
            }
            throw new IllegalStateException(JAR + " has no " + ENTRY);
        } catch (IOException e) {
            throw new UncheckedIOException("the packaged WAR can't be read", e);
        }
    }
}
