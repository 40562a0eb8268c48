/** Postern: a webhook ingress for AI agents. {@code ArchitectureTest} has the table of its packages. */
@NullMarked
package dev.postern;

import org.jspecify.annotations.NullMarked;
