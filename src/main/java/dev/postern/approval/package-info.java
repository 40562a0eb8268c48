/**
 * Tool calls that need an operator's approval: the questions, the decisions, and the paused turns that wait for them. The only
 * owner of the tables {@code approval} and {@code paused_turn}.
 */
@NullMarked
package dev.postern.approval;

import org.jspecify.annotations.NullMarked;
