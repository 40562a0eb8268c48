package dev.postern.console;

import dev.postern.access.LocalRequestRule;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.net.URI;
import java.util.Set;

/**
 * A filter that turns the console's two kinds of addresses into media types. One resource serves a page for people at
 * {@code console/runs} and JSON for programs at {@code console/api/runs}.
 */
@PreMatching
final class ConsoleAddressFilter implements ContainerRequestFilter {

    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST");
    private static final String ROOT = "console/";
    private static final String API = ROOT + "api/";

    private final boolean localOnly;

    @Context
    private HttpServletRequest servletRequest;

    /**
     * @param localOnly whether requests that are not local get 404
     */
    ConsoleAddressFilter(boolean localOnly) {
        this.localOnly = localOnly;
    }

    @Override
    public void filter(ContainerRequestContext request) {
        String path = request.getUriInfo().getPath(false);
        if (localOnly && !LocalRequestRule.covers(servletRequest)) {
            refuse(request, 404, "not_found", "This address does not exist.");
        } else if (!METHODS.contains(request.getMethod())) {
            refuse(request, 405, "method_not_allowed", "The console supports only GET, HEAD and POST.");
        } else if (path.equals("console")) { // the slash is missing
            request.abortWith(Response.seeOther(URI.create(ConsoleAddresses.root(servletRequest)))
                    .build());
        } else {
            match(request, path);
        }
    }

    private static void match(ContainerRequestContext request, String path) {
        if (path.startsWith(API)) {
            UriInfo uri = request.getUriInfo();
            URI whole = uri.getRequestUriBuilder()
                    .replacePath(uri.getBaseUri().getRawPath() + ROOT + path.substring(API.length()))
                    .build();
            request.setRequestUri(uri.getBaseUri(), whole);
            negotiate(request, MediaType.APPLICATION_JSON, MediaType.APPLICATION_JSON);
        } else {
            negotiate(request, MediaType.TEXT_HTML, MediaType.APPLICATION_FORM_URLENCODED);
        }
        if (path.endsWith("/") && !path.equals(ROOT) && !path.equals(API)) { // Jersey would ignore the slash
            throw new NotFoundException();
        }
    }

    private static void negotiate(ContainerRequestContext request, String accepted, String sent) {
        request.getHeaders().putSingle(HttpHeaders.ACCEPT, accepted);
        request.getHeaders().putSingle(HttpHeaders.CONTENT_TYPE, sent);
    }

    private static void refuse(ContainerRequestContext request, int status, String code, String sentence) {
        Response.ResponseBuilder response =
                new ConsoleError(status, code, "Not found", sentence).response().type(MediaType.APPLICATION_JSON_TYPE);
        request.abortWith(
                status == 405
                        ? response.header(HttpHeaders.ALLOW, "GET, HEAD, POST").build()
                        : response.build());
    }
}
