package dev.postern.console;

import java.nio.charset.StandardCharsets;

/** What programs may ask of hooks, runs and the console, and what they are answered: one document in OpenAPI 3.1. */
final class OpenApiDocument {

    /** Where it is, below the console's {@code api/}. Its address of the web application counts from there. */
    static final String PATH = "openapi.json";

    /** Where hooks are as the document is written; it says so nowhere but at the beginning of paths. */
    private static final String HOOKS = "\"/hooks/";

    private final byte[] json;

    /**
     * @param hookPath as configured, inside the context: begins with a slash, ends without one, and has nothing that JSON spells
     *     otherwise
     */
    OpenApiDocument(String hookPath) {
        this.json = new String(StaticAssets.read(PATH), StandardCharsets.UTF_8)
                .replace(HOOKS, "\"" + hookPath + "/")
                .getBytes(StandardCharsets.UTF_8);
    }

    byte[] json() {
        return json;
    }
}
