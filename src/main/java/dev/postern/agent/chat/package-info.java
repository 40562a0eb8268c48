/**
 * Chat models as backends, spoken to through LangChain4j.
 *
 * <p>In: a prompt and the tools that the turn may use. Out: the model's reply, or why there is none. Nothing of LangChain4j
 * is loaded before the first turn.
 */
@NullMarked
package dev.postern.agent.chat;

import org.jspecify.annotations.NullMarked;
