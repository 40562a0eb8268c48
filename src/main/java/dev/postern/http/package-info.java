/**
 * Servlet filter, resources and error bodies: outcomes become statuses.
 *
 * <p>In: HTTP requests. Out: HTTP answers. Called by: the container, wired by app. Imports: model, access, ingress.
 */
@NullMarked
package dev.postern.http;

import org.jspecify.annotations.NullMarked;
