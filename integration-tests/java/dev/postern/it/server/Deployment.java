package dev.postern.it.server;

import java.nio.file.Path;

/**
 * A deployment of the packaged WAR.
 *
 * @param name its context path without the slash; no two at one time have the same
 * @param home an absolute path; the directory is there
 */
record Deployment(String name, Path war, Path home, ServerBindings bindings) {}
