package dev.postern.channel.vendor;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** A vendor's API description, {@code src/test/resources/vendors/<kind>.json}, with responses of its servers. */
final class VendorFile {

    static final ObjectMapper JSON = new ObjectMapper();

    private final ObjectNode description;

    VendorFile(String kind) {
        try (InputStream file = VendorFile.class.getResourceAsStream("/vendors/" + kind + ".json")) {
            description = (ObjectNode) JSON.readTree(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A response, and the outcome expected for it.
     *
     * @param operation the operation that it responds to; empty for the description's first
     * @param outcome one of {@code ok retry permanent auth hold unknown}
     * @param pause the pause in seconds that the response asks for; negative if it asks for none
     */
    record Case(String name, String operation, JsonNode response, String outcome, double pause) {

        ResponseDefinitionBuilder answer() {
            ResponseDefinitionBuilder answer = WireMock.aResponse()
                    .withStatus(response.path("status").intValue())
                    .withBody(body());
            response.path("headers")
                    .properties()
                    .forEach(header ->
                            answer.withHeader(header.getKey(), header.getValue().asText()));
            return answer;
        }

        String body() {
            JsonNode body = response.path("body");
            return body.isTextual() ? body.textValue() : body.toString();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /**
     * The responses to {@code operation}; if that is empty, to the description's first one. A response with details that
     * its source only assumes comes again, behind the others, without them: its outcome must be the same.
     */
    List<Case> cases(String operation) {
        List<Case> cases = new ArrayList<>();
        List<Case> withoutAssumptions = new ArrayList<>();
        for (JsonNode each : description.path("x-cases")) {
            Case found = new Case(
                    each.path("name").textValue(),
                    each.path("operation").asText(""),
                    each.path("response"),
                    each.path("outcome").textValue(),
                    each.path("retryAfterSeconds").asDouble(-1));
            if (found.operation().equals(operation)) {
                cases.add(found);
                if (each.has("assumed")) {
                    withoutAssumptions.add(withoutAssumptions(found, each.path("assumed")));
                }
            }
        }
        cases.addAll(withoutAssumptions);
        return cases;
    }

    /** The case without the details at {@code pointers} (RFC 6901) of its response. */
    private static Case withoutAssumptions(Case found, JsonNode pointers) {
        ObjectNode response = found.response().deepCopy();
        for (JsonNode pointer : pointers) {
            switch (pointer.textValue()) {
                case "/status" -> response.put("status", response.path("status").intValue() / 100 * 100);
                case "/body" ->
                    response.set(
                            "body",
                            response.path("body").isContainerNode()
                                    ? JSON.createObjectNode().put("other", "x")
                                    : TextNode.valueOf("other"));
                default -> remove(response, JsonPointer.compile(pointer.textValue()));
            }
        }
        return new Case(
                found.name() + ", without what is assumed",
                found.operation(),
                response,
                found.outcome(),
                found.pause());
    }

    private static void remove(ObjectNode response, JsonPointer pointer) {
        String member = pointer.last().getMatchingProperty();
        if (!(response.at(pointer.head()) instanceof ObjectNode parent) || parent.remove(member) == null) {
            throw new IllegalArgumentException("nothing at " + pointer);
        }
    }

    /** The first of the {@link #cases} that is {@code ok}. */
    Case ok(String operation) {
        return cases(operation).stream()
                .filter(each -> each.outcome().equals("ok"))
                .findFirst()
                .orElseThrow();
    }

    /** The part of the description at {@code pointer}. */
    JsonNode at(String pointer) {
        return description.at(pointer);
    }

    /** The violations by {@code body} of the schema at {@code pointer} of the description. */
    List<String> violations(String pointer, String body) {
        if (!(description.at(pointer) instanceof ObjectNode found)) {
            throw new IllegalArgumentException("no schema at " + pointer);
        }
        ObjectNode schema = found.deepCopy();
        for (String shared : List.of("definitions", "components")) {
            if (description.has(shared)) {
                schema.set(shared, description.get(shared));
            }
        }
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(schema.toString(), InputFormat.JSON)
                .validate(body, InputFormat.JSON)
                .stream()
                .map(Object::toString)
                .toList();
    }
}
