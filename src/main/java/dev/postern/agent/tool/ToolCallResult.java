package dev.postern.agent.tool;

import dev.postern.model.TurnRecord.Outcome;

/** The result of one tool call: its outcome, and the text for the model. */
record ToolCallResult(Outcome outcome, String text) {}
