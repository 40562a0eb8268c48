package dev.postern.agent.tool;

import dev.postern.model.TurnRecord.Outcome;

/** What became of one tool call, and what the model is to read of it. */
record ToolCallResult(Outcome outcome, String text) {}
