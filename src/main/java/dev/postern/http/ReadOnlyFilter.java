package dev.postern.http;

import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.PreMatching;

/** A filter of addresses that can be looked at and nothing else: any method but GET and HEAD is answered 405. */
@PreMatching
public final class ReadOnlyFilter implements ContainerRequestFilter, ContainerResponseFilter {

    @Override
    public void filter(ContainerRequestContext request) {
        String method = request.getMethod();
        if (!method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD)) {
            request.abortWith(Refusal.ONLY_GET_OR_HEAD.response());
        }
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        Page.GUARD.forEach((name, value) -> response.getHeaders().putSingle(name, value));
    }
}
