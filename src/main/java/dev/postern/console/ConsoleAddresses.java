package dev.postern.console;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/** The addresses of the console, as a browser sends them. */
final class ConsoleAddresses {

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
}
