package dev.postern.console;

import java.nio.charset.StandardCharsets;

/** The OpenAPI 3.1 document, which describes the requests and responses of the hooks, the runs and the console. */
final class OpenApiDocument {

    /** Its path below the console's {@code api/}. The document's server address is relative to that path. */
    static final String PATH = "openapi.json";

    /** The hook prefix in the document's source, which has it at the beginning of paths only. */
    private static final String HOOKS = "\"/hooks/";

    private final byte[] json;

    /**
     * @param hookPath the configured path inside the context: it begins with a slash, ends without one, and has no character
     *     that JSON escapes
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
