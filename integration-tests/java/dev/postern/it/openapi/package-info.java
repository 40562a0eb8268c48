/**
 * Checks of the responses that tests get against the OpenAPI document that the packaged WAR serves.
 *
 * <p>In: a request and its response. Out: nothing, or a failure that names the difference from the document. Called by: all
 * tests' clients of a running Postern.
 */
package dev.postern.it.openapi;
