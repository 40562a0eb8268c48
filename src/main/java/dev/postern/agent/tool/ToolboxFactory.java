package dev.postern.agent.tool;

import dev.postern.agent.ToolPermissions;
import dev.postern.agent.TurnCancellation;
import dev.postern.agent.TurnJournal;
import dev.postern.agent.TurnRecorder;

/** A factory for the toolbox of each turn. */
public interface ToolboxFactory {

    /**
     * Opens a toolbox with the tools that {@code access} permits, which may be none. A server that can't be reached is left
     * out, with a note in {@code log}, so that the turn goes on without its tools. Calls of any other tool are refused. A server whose tool an operator has
     * approved is asked again for its tools, to see that it is there: if it does not list them, that is the toolbox's {@link
     * Toolbox#obstacle}.
     *
     * @param journal what the turn did before it was paused, if it was
     */
    Toolbox open(ToolPermissions access, TurnJournal journal, TurnCancellation turnCancellation, TurnRecorder log);
}
