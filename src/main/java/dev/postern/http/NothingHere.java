package dev.postern.http;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Answers every path of the context that is nobody else's: 404. It stands where a server would have its default servlet,
 * so that no file of the WAR can be downloaded.
 */
public final class NothingHere extends HttpServlet {

    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Page.nothing(response);
    }
}
