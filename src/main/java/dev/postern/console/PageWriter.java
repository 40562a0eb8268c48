package dev.postern.console;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A writer of pages, which renders the record that a program gets as JSON with its template. */
@Produces(MediaType.TEXT_HTML)
final class PageWriter implements MessageBodyWriter<Object> {

    private static final String PROBLEM = "problem";

    /** The header of htmx in the requests by which it updates a page. */
    private static final String UPDATE = "HX-Request";

    private final PageRenderer pageRenderer;
    private final StaticAssets assets;
    private final ConsoleJsonMapper json;
    private final LoginSessions loginSessions;

    @Context
    private HttpServletRequest request;

    /**
     * @param json converts a record to a template's values
     * @param clock tells the age of times
     */
    PageWriter(StaticAssets assets, ConsoleJsonMapper json, LoginSessions loginSessions, InstantSource clock) {
        this.pageRenderer = new PageRenderer(clock);
        this.assets = assets;
        this.json = json;
        this.loginSessions = loginSessions;
    }

    @Override
    public boolean isWriteable(Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
        return template(type, annotations) != null;
    }

    @Override
    public void writeTo(
            Object shown,
            Class<?> type,
            Type genericType,
            Annotation[] annotations,
            MediaType mediaType,
            MultivaluedMap<String, Object> headers,
            OutputStream out)
            throws IOException {
        byte[] page = pageRenderer
                .page(String.valueOf(template(type, annotations)), values(shown))
                .getBytes(StandardCharsets.UTF_8);
        headers.putSingle(HttpHeaders.CONTENT_TYPE, "text/html;charset=utf-8");
        headers.putSingle(HttpHeaders.CONTENT_LENGTH, page.length);
        out.write(page);
    }

    private static @Nullable String template(Class<?> type, Annotation[] annotations) {
        return type == ConsoleError.class
                ? PROBLEM
                : Arrays.stream(annotations)
                        .filter(PageTemplate.class::isInstance)
                        .map(annotation -> ((PageTemplate) annotation).value())
                        .findFirst()
                        .orElse(null);
    }

    private Map<String, Object> values(Object shown) {
        Map<String, Object> values = new HashMap<>();
        values.put("base", ConsoleAddresses.root(request));
        values.put("assets", assets.names());
        values.put("shown", json.tree(shown));
        if (shown instanceof ConsoleError problem) {
            values.put("title", problem.title());
        }
        // A reload of a problem that a form has led to would send the form again.
        if (!(shown instanceof ConsoleError) || request.getMethod().equals(HttpMethod.POST)) {
            ReturnAddress.of(request).ifPresent(page -> values.put("sentFrom", page));
        }
        loginSessions.user(request).ifPresent(user -> {
            values.put("visitor", json.tree(user));
            values.put("operator", user.isOperator());
            // An update of a page takes a part without the message, which is for the page that comes next.
            values.put("word", request.getHeader(UPDATE) == null ? loginSessions.takeMessage(request) : "");
            values.put("place", ConsoleAddresses.of(request));
            values.put("again", ConsoleAddresses.root(request) + ConsoleAddresses.withQuery(request));
        });
        return values;
    }
}
