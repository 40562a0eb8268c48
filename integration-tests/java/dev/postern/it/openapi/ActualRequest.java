package dev.postern.it.openapi;

import java.net.URI;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A request to a web application.
 *
 * @param hooks where its hooks are, without a slash at either end
 * @param path below the web application, with a slash at its beginning and without the query
 * @param body as text; empty where there is none, or where it is not known
 */
public record ActualRequest(String method, String hooks, String path, String body) {

    private static final Pattern REQUEST_LINE = Pattern.compile("^([A-Za-z]+) (/[^ ]*) HTTP/1\\.1\r\n");

    /** What a server, a filter and a test might read in different ways. */
    private static final Pattern ODD = Pattern.compile("[;%\\\\]|//|/\\.\\.?(/|$)");

    private static final Pattern SESSION = Pattern.compile(";jsessionid=[^;/]*$");

    /** A request for {@code address}, in the web application at {@code site}, which ends with a slash, of which no body is known. */
    public static ActualRequest of(String method, URI address, URI site, String hooks) {
        return of(method, address.getRawPath(), site, hooks)
                .orElseThrow(() -> new IllegalArgumentException(address + " is not in " + site));
    }

    /** The request that {@code bytes}, as ISO 8859-1, begins with; empty where it is not one to {@code site} as they should be. */
    public static Optional<ActualRequest> of(String bytes, URI site, String hooks) {
        Matcher line = REQUEST_LINE.matcher(bytes);
        return line.find() ? of(line.group(1), line.group(2), site, hooks) : Optional.empty();
    }

    private static Optional<ActualRequest> of(String method, String target, URI site, String hooks) {
        String path = target.split("\\?", 2)[0];
        return site.getRawPath().endsWith("/") && path.startsWith(site.getRawPath())
                ? Optional.of(new ActualRequest(
                        method, hooks, path.substring(site.getRawPath().length() - 1), ""))
                : Optional.empty();
    }

    /** The same with a body. */
    public ActualRequest with(String text) {
        return new ActualRequest(method, hooks, path, text);
    }

    boolean isHead() {
        return method.equals("HEAD");
    }

    /** Whether the path is spelled in a way that no program has a use for. */
    boolean isOdd() {
        return ODD.matcher(path).find();
    }

    /** Whether all that is odd is a session's id, which a container takes off the path (Jakarta Servlet 6.0, section 7.1.3). */
    boolean namesASession() {
        return isOdd() && !ODD.matcher(SESSION.matcher(path).replaceFirst("")).find();
    }

    /** Whether it is one of the console's pages that people look at, or leads there. */
    boolean isPage() {
        return path.equals("/")
                || path.equals("/console")
                || path.equals("/console/api/") // the overview, as a program gets it
                || (path.startsWith("/console/") && !path.startsWith("/console/api/"));
    }

    /** The path as the document has it, which tells of the slash at an end; the prefix is a hook without a name. */
    String documentedPath() {
        String prefix = "/" + hooks;
        if (path.equals(prefix) || path.equals(prefix + "/")) {
            return prefix + "/";
        }
        boolean isResource = Stream.of(prefix, "/health", "/console/api").anyMatch(each -> path.startsWith(each + "/"));
        return isResource && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
