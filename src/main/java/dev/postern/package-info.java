/** Postern: a webhook ingress for AI agents. Each sub-package is a room; see the table in {@code RoomsTest}. */
@NullMarked
package dev.postern;

import org.jspecify.annotations.NullMarked;
