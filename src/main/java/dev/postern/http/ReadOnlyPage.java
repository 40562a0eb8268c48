package dev.postern.http;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A page that can be looked at and nothing else: any method but GET and HEAD is answered 405. */
abstract class ReadOnlyPage extends HttpServlet {

    private static final long serialVersionUID = 1L;

    @Override
    protected final void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        if (request.getMethod().equals("GET") || request.getMethod().equals("HEAD")) {
            super.service(request, response);
        } else {
            Page.guard(response);
            Refusal.ONLY_GET_OR_HEAD.send(response);
        }
    }
}
