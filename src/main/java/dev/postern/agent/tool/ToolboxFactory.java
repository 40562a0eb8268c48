package dev.postern.agent.tool;

import dev.postern.agent.ToolPermissions;
import dev.postern.agent.TurnCancellation;
import dev.postern.agent.TurnRecorder;

/** Gives each turn its tools. */
public interface ToolboxFactory {

    /**
     * The tools that {@code access} names, which may be none. A server that can't be reached is left out, with a note in
     * {@code log}, so that the turn is taken without its tools. What a model asks for that is not among them is refused.
     */
    Toolbox open(ToolPermissions access, TurnCancellation turnCancellation, TurnRecorder log);
}
