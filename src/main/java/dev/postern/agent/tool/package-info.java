/** The tools that a turn may use: those of the configured tool servers, spoken to in the Model Context Protocol. */
@NullMarked
package dev.postern.agent.tool;

import org.jspecify.annotations.NullMarked;
