/**
 * Tests of the HTTP interface of the packaged WAR in each server, as a sender, an operator and an attacker see it.
 *
 * <p>In: a running server and the WAR. Out: test results. Nothing of Postern's own code is on the class path here; a test is a
 * client like any other.
 */
package dev.postern.it;
