/**
 * The contract, over HTTP, against the packaged WAR in each server: what a sender, an operator and an attacker see.
 *
 * <p>In: a running server and the WAR. Out: verdicts. Nothing of Postern's own code is on the class path here; a test is a
 * client like any other.
 */
package dev.postern.it;
