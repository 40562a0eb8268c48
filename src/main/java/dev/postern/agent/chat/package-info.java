/**
 * Chat models as backends, called through LangChain4j.
 *
 * <p>In: a prompt and the tools that the turn may use. Out: the model's reply, or the reason why there is none. Called by:
 * app and, as backends, agent. No class of LangChain4j is loaded before the first turn.
 */
@NullMarked
package dev.postern.agent.chat;

import org.jspecify.annotations.NullMarked;
