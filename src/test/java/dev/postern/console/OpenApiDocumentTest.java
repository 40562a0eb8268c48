package dev.postern.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.postern.http.HooksResource;
import dev.postern.model.ErrorCode;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the document is valid and matches the code. Integration tests check the responses against it. */
class OpenApiDocumentTest {

    private static final String CONSOLE = "/console/api/";
    private static final String INLINE = "a path";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final SchemaRegistry SCHEMAS = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    /** The keywords that the document's schemas use; any other is a misspelling. */
    private static final Set<String> KEYWORDS = Set.of(
            "$ref",
            "type",
            "description",
            "default",
            "enum",
            "const",
            "pattern",
            "format",
            "minLength",
            "maxLength",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "items",
            "minItems",
            "maxItems",
            "properties",
            "required",
            "additionalProperties",
            "oneOf",
            "anyOf");

    private final JsonNode document = read(new ConsoleRootResource.OpenApiDocument("/hooks").json());

    @Test
    void isOpenApi31() throws IOException {
        try (InputStream file = Objects.requireNonNull(getClass().getResourceAsStream("/openapi/3.1-schema.json"))) {
            Schema openApi = SCHEMAS.getSchema(new String(file.readAllBytes(), UTF_8), InputFormat.JSON);

            assertThat(openApi.validate(document.toString(), InputFormat.JSON)).isEmpty();
        }
    }

    @Test
    void hasSchemasOfKnownKeywords() {
        Schema schemas = SCHEMAS.getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));

        forEachSchema((place, schema) -> {
            assertThat(schemas.validate(schema.toString(), InputFormat.JSON))
                    .as(place)
                    .isEmpty();
            assertThat(schema.isBoolean() ? Set.of() : names(schema)).as(place).isSubsetOf(KEYWORDS);
        });
    }

    /** Unknown members of a request are ignored; a response has only the members that the schema names. */
    @Test
    void leavesNoAnswerOpen() {
        forEachSchema((place, schema) -> {
            if (schema.path("type").asText().equals("object") && !place.equals(INLINE)) {
                assertThat(schema.path("additionalProperties").asText())
                        .as(place)
                        .isEqualTo("" + place.endsWith("Request"));
                assertThat(names(schema.path("properties"))).as(place).containsAll(texts(schema.path("required")));
            }
        });
    }

    @Test
    void refersToWhatThereIsAndHasNothingElse() {
        Set<String> referred = document.findValues("$ref").stream()
                .map(JsonNode::asText)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> components = new TreeSet<>();
        document.path("components").properties().forEach(kind -> {
            if (!kind.getKey().equals("securitySchemes")) {
                names(kind.getValue()).forEach(name -> components.add("#/components/" + kind.getKey() + "/" + name));
            }
        });

        assertThat(referred).isEqualTo(components);
        assertThat(document.findValues("security").stream()
                        .flatMap(security -> Stream.of(security).flatMap(JsonNode::valueStream))
                        .flatMap(way -> names(way).stream())
                        .collect(Collectors.toSet()))
                .isEqualTo(names(document.path("components").path("securitySchemes")));
    }

    @Test
    void namesAndGroupsEachOperation() {
        List<String> ids = new ArrayList<>();
        forEachOperation((where, operation) -> {
            ids.add(operation.path("operationId").asText());
            assertThat(operation.path("summary").asText()).as(where).endsWith(".");
            assertThat(operation.has("security")).as(where).isTrue();
            assertThat(document.path("tags").findValuesAsText("name"))
                    .as(where)
                    .containsAll(texts(operation.path("tags")));
            assertThat(Stream.of(operation.path("parameters"))
                            .flatMap(JsonNode::valueStream)
                            .map(this::resolved)
                            .filter(parameter -> parameter.path("in").asText().equals("path"))
                            .map(parameter -> "{" + parameter.path("name").asText() + "}"))
                    .as(where)
                    .containsExactlyElementsOf(Pattern.compile("\\{\\w+}")
                            .matcher(where)
                            .results()
                            .map(found -> found.group())
                            .toList());
        });

        assertThat(ids).doesNotContain("").doesNotHaveDuplicates();
    }

    @Test
    void hasEachErrorCodeWithItsStatus() {
        Set<String> codes = new TreeSet<>();
        forEachOperation((where, operation) -> {
            if (!where.contains(CONSOLE)) {
                codes.addAll(codes(operation));
            }
        });
        Set<String> elsewhere = codes(document.path("x-other-requests"));
        codes.addAll(elsewhere);

        assertThat(codes)
                .isEqualTo(Arrays.stream(ErrorCode.values())
                        .map(code -> code.status() + " " + code.wire())
                        .collect(Collectors.toCollection(TreeSet::new)));
        assertThat(texts(document.at("/components/schemas/ErrorCode/enum")))
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(ErrorCode.values()).map(ErrorCode::wire).collect(Collectors.toSet()));
    }

    @Test
    void hasEachHook() {
        Set<String> routes = Arrays.stream(HooksResource.class.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Path.class))
                .map(method -> verb(method) + " /hooks/"
                        + method.getAnnotation(Path.class).value().replaceAll("\\{(\\w+)[^}]*}", "{$1}"))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(operations("/hooks/")).isEqualTo(routes);
    }

    @Test
    void hasEachAddressOfTheConsole() {
        Set<String> routes = new TreeSet<>();
        addRoutes(ConsoleRootResource.class, "/console/api", routes);

        assertThat(operations(CONSOLE)).isEqualTo(routes);
    }

    /** Adds the routes of {@code resource} at and below {@code path} that return JSON. */
    private static void addRoutes(Class<?> resource, String path, Set<String> routes) {
        for (Method method : resource.getMethods()) {
            String verb = verb(method);
            String own = method.isAnnotationPresent(Path.class)
                    ? path + "/" + method.getAnnotation(Path.class).value()
                    : path;
            if (!verb.isEmpty() && isJson(method)) {
                routes.add(verb + " "
                        + own.replaceAll("\\{overview[^}]*}", "overview").replaceAll("\\{\\w+[^}]*}", "{id}"));
            } else if (verb.isEmpty() && method.isAnnotationPresent(Path.class)) {
                addRoutes(method.getReturnType(), own, routes);
            }
        }
    }

    private static boolean isJson(Method method) {
        Produces produces = method.getAnnotation(Produces.class);
        Consumes consumes = method.getAnnotation(Consumes.class);
        return (produces == null || List.of(produces.value()).contains(MediaType.APPLICATION_JSON))
                && (consumes == null || List.of(consumes.value()).contains(MediaType.APPLICATION_JSON));
    }

    @Test
    void tellsTheVersionOfTheWar() throws IOException {
        Matcher pom = Pattern.compile("<artifactId>postern</artifactId>\\s*<version>([^<]+)</version>")
                .matcher(Files.readString(java.nio.file.Path.of("pom.xml")));

        assertThat(pom.find()).isTrue();
        assertThat(document.at("/info/version").asText()).isEqualTo(pom.group(1));
    }

    @Test
    void hasTheHooksWhereTheyAre() {
        JsonNode elsewhere = read(new ConsoleRootResource.OpenApiDocument("/in/deep").json());

        assertThat(names(elsewhere.path("paths")))
                .isEqualTo(names(document.path("paths")).stream()
                        .map(path -> path.startsWith("/hooks/") ? "/in/deep" + path.substring("/hooks".length()) : path)
                        .collect(Collectors.toCollection(LinkedHashSet::new)));
    }

    /** The operations below {@code prefix}: method, space, path. Each path parameter of the console is {@code id}. */
    private Set<String> operations(String prefix) {
        Set<String> operations = new TreeSet<>();
        forEachOperation((where, operation) -> {
            if (where.contains(" " + prefix)) {
                operations.add(prefix.equals(CONSOLE) ? where.replaceAll("\\{\\w+}", "{id}") : where);
            }
        });
        return operations;
    }

    /** The statuses of an operation's errors, each with each code that it may have. */
    private Set<String> codes(JsonNode operation) {
        Set<String> codes = new TreeSet<>();
        operation.path("responses").properties().forEach(response -> {
            JsonNode schema = resolved(response.getValue()).at("/content/application~1json/schema");
            if (schema.path("$ref").asText().equals("#/components/schemas/Error")) {
                texts(schema.at("/properties/code/enum")).forEach(code -> codes.add(response.getKey() + " " + code));
            }
        });
        return codes;
    }

    private void forEachOperation(BiConsumer<String, JsonNode> what) {
        document.path("paths").properties().forEach(path -> path.getValue()
                .properties()
                .forEach(operation -> what.accept(
                        operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey(), operation.getValue())));
    }

    /** Passes on every schema that is not a part of another, and the parts that have a name. */
    private void forEachSchema(BiConsumer<String, JsonNode> what) {
        document.at("/components/schemas")
                .properties()
                .forEach(schema -> forEachPart(schema.getKey(), schema.getValue(), what));
        document.path("paths").findValues("schema").forEach(schema -> forEachPart(INLINE, schema, what));
        for (String kind : List.of("responses", "headers", "parameters")) {
            document.path("components")
                    .path(kind)
                    .findValues("schema")
                    .forEach(schema -> forEachPart(kind, schema, what));
        }
    }

    private static void forEachPart(String place, JsonNode schema, BiConsumer<String, JsonNode> what) {
        what.accept(place, schema);
        schema.path("properties")
                .properties()
                .forEach(part -> forEachPart(place + "." + part.getKey(), part.getValue(), what));
        for (String many : List.of("oneOf", "anyOf")) {
            schema.path(many).forEach(part -> forEachPart(place + "." + many, part, what));
        }
        if (schema.has("items")) {
            forEachPart(place + "[]", schema.path("items"), what);
        }
    }

    private JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(node.path("$ref").asText().substring(1)) : node;
    }

    private static String verb(Method method) {
        return Arrays.stream(method.getAnnotations())
                .map(Annotation::annotationType)
                .filter(type -> type.isAnnotationPresent(HttpMethod.class))
                .map(type -> type.getAnnotation(HttpMethod.class).value())
                .collect(Collectors.joining());
    }

    private static Set<String> names(JsonNode object) {
        return object.properties().stream()
                .map(java.util.Map.Entry::getKey)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static List<String> texts(JsonNode array) {
        return array.valueStream().map(JsonNode::asText).toList();
    }

    private static JsonNode read(byte[] json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
