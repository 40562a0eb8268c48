package dev.postern.console;

import dev.postern.model.Sha256;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The style sheet, scripts and pictures of the pages. A file's name contains a part of its hash, so that browsers may cache
 * it for good. They need no login: none of them is a secret, and the login page uses them.
 */
final class StaticAssets {

    private final Map<String, String> names = new HashMap<>();
    private final Map<String, Asset> byName = new HashMap<>();

    private static final class Asset {

        private final String type;
        private final byte[] content;

        Asset(String type, byte[] content) {
            this.type = type;
            this.content = content;
        }
    }

    StaticAssets() {
        add("style", "console.css", "text/css;charset=utf-8");
        add("script", "console.js", "text/javascript;charset=utf-8");
        add("icon", "icon.svg", "image/svg+xml");
        add("htmx", "htmx.min.js", "text/javascript;charset=utf-8");
    }

    /** The names of the files by their purpose, such as {@code style}. */
    Map<String, String> names() {
        return names;
    }

    /** A response with the file {@code name}, or 404. */
    Response response(String name) {
        @Nullable Asset asset = byName.get(name);
        return asset == null
                ? Response.status(404).build()
                : Response.ok(asset.content, asset.type)
                        .header(HttpHeaders.CACHE_CONTROL, "public, max-age=31536000, immutable")
                        .build();
    }

    private void add(String what, String resource, String type) {
        byte[] content = read("assets/" + resource);
        String hash = HexFormat.of().formatHex(Sha256.of(content), 0, 8);
        String name = what + "-" + hash + resource.substring(resource.lastIndexOf('.'));
        names.put(what, name);
        byName.put(name, new Asset(type, content));
    }

    /** The contents of {@code resource}, which is in this class's package. */
    static byte[] read(String resource) {
        try (InputStream in = StaticAssets.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("the WAR lacks " + resource);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
