package dev.postern.console;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The addresses of the console, as a browser sends them. */
final class ConsoleAddresses {

    /** The query parameter of the login after a form that was not processed. */
    static final String UNPROCESSED_FORM = "unprocessed";

    /** The longest address that a response repeats. Servers have 8 KiB for all headers of a response. */
    private static final int LONGEST_REPEATED = 2_000;

    private ConsoleAddresses() {}

    /** The console's path, such as {@code /postern/console/}. */
    static String root(HttpServletRequest request) {
        return request.getContextPath() + "/console/";
    }

    /** The path of {@code request} below the console's. */
    static String of(HttpServletRequest request) {
        String path = request.getRequestURI();
        int root = root(request).length();
        return path.length() < root ? "" : path.substring(root);
    }

    /** Whether a program has sent {@code request}, and gets JSON. */
    static boolean isProgram(HttpServletRequest request) {
        return of(request).startsWith("api/");
    }

    /** The path below the console's with the query. */
    static String withQuery(HttpServletRequest request) {
        @Nullable String query = request.getQueryString();
        return query == null ? of(request) : of(request) + "?" + query;
    }

    /** {@code address}; empty if it is too long for a header of a response. */
    static String repeatable(String address) {
        return address.length() > LONGEST_REPEATED ? "" : address;
    }

    /** The address of the login that leads to {@code next}, below the console's path {@code root}. */
    static String login(String root, String next) {
        return root + ConsoleRootResource.LOGIN + "?next="
                + repeatable(URLEncoder.encode(next, StandardCharsets.UTF_8));
    }

    /** The address of the login that says that a form was not processed, and leads to {@code next}, as {@link #login} does. */
    static String loginAfterForm(String root, String next) {
        return login(root, next) + "&" + UNPROCESSED_FORM;
    }
}
