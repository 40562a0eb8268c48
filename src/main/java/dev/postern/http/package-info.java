/**
 * The HTTP interface: servlet filters, resources, and responses to results and errors.
 *
 * <p>In: HTTP requests. Out: HTTP responses. Called by: the container, wired by app. Imports: model, access, ingress.
 */
@NullMarked
package dev.postern.http;

import org.jspecify.annotations.NullMarked;
