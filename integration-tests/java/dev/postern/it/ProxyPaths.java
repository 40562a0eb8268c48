package dev.postern.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * The request targets of {@code attacks/proxy-paths.txt}. They bypass a proxy if the server reads them differently from
 * the proxy.
 */
public final class ProxyPaths {

    private static final String SCHEME = "http://{host}";

    private ProxyPaths() {}

    /** All of them, with {@code {host}} in those that name a host. */
    public static List<String> all() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(ProxyPaths.class.getResourceAsStream("/attacks/proxy-paths.txt")),
                StandardCharsets.US_ASCII))) {
            return lines.lines().filter(line -> !line.startsWith("# ")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("the paths can't be read", e);
        }
    }

    /** {@code target} in a web application at {@code contextPath}, empty for the root, of {@code host}. */
    public static String in(String contextPath, String host, String target) {
        return target.startsWith(SCHEME)
                ? "http://" + host + contextPath + target.substring(SCHEME.length())
                : contextPath + target;
    }
}
