package dev.postern.it.server;

import java.nio.file.Path;

/**
 * The packaged WAR, to be deployed once more.
 *
 * @param name its context path without the slash; no two at one time have the same
 * @param home an absolute path; the directory is there
 */
record Deployment(String name, Path war, Path home, Bindings bindings) {}
