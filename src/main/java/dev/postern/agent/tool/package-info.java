/**
 * The tools of a turn: those of the configured tool servers, called over the Model Context Protocol.
 *
 * <p>In: a turn's permissions and the tool calls of its model. Out: tools, and the results of calls. Called by: agent.chat,
 * app.
 */
@NullMarked
package dev.postern.agent.tool;

import org.jspecify.annotations.NullMarked;
