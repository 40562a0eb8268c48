/**
 * Holds the answers that tests get against the document that the packaged WAR serves of itself.
 *
 * <p>In: what was asked, and the answer. Out: nothing, or a failure that says what the document doesn't. Called by: whatever
 * talks to a running Postern in these tests.
 */
package dev.postern.it.openapi;
