package dev.postern.it.openapi;

import com.google.gson.JsonElement;
import com.google.gson.JsonPrimitive;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The document's description of a response.
 *
 * @param headers the described headers
 * @param bodies the body's schema by its media type; empty where there is no body
 */
record ResponseSpecification(Map<String, Header> headers, Map<String, URI> bodies) {

    /** A header that the document describes. */
    record Header(boolean required, URI schema) {}

    /**
     * What of {@code given} is not as it is said here; none where all is.
     *
     * @param meaningful the names of all headers that mean something somewhere
     */
    List<String> faults(ActualResponse actualResponse, boolean toHead, Set<String> meaningful, Schemas schemas) {
        List<String> faults = new ArrayList<>();
        for (String name : meaningful) {
            headerFaults(name, actualResponse.headers().getOrDefault(name, List.of()), schemas, faults);
        }
        if (bodies.isEmpty() || toHead) {
            if (!actualResponse.body().isEmpty()) {
                faults.add("it has a body");
            }
        } else if (!bodies.containsKey(actualResponse.mediaType())) {
            faults.add("its body is [" + actualResponse.mediaType() + "] and not one of " + bodies.keySet());
        } else {
            bodyFaults(actualResponse, schemas, faults);
        }
        return faults;
    }

    private void headerFaults(String name, List<String> values, Schemas schemas, List<String> faults) {
        Header header = headers.get(name);
        if (values.size() > 1) {
            faults.add(name + " is sent more than once");
        } else if (header == null && !values.isEmpty()) {
            faults.add("it has " + name);
        } else if (header != null && header.required() && values.isEmpty()) {
            faults.add("it lacks " + name);
        } else if (header != null && !values.isEmpty()) {
            schemas.faults(header.schema(), new JsonPrimitive(values.get(0)))
                    .forEach(fault -> faults.add(name + " " + fault));
        }
    }

    private void bodyFaults(ActualResponse actualResponse, Schemas schemas, List<String> faults) {
        Optional<JsonElement> body = actualResponse.mediaType().equals("application/json")
                ? StrictJsonReader.read(actualResponse.body())
                : Optional.of(new JsonPrimitive(actualResponse.body()));
        if (body.isEmpty()) {
            faults.add("its body is no JSON");
        } else {
            schemas.faults(bodies.get(actualResponse.mediaType()), body.get())
                    .forEach(fault -> faults.add("its body " + fault));
        }
    }
}
