package dev.postern.agent.tool;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import java.util.List;

/** The tools of one turn. Used by the turn's thread alone. */
public interface Toolbox extends AutoCloseable {

    /** What a model is told of each tool; the names are such that every provider takes them. */
    List<ToolSpecification> tools();

    /** The number of calls that the turn may still make; 0 where it has no tools. */
    int callsLeft();

    /**
     * Calls a tool, writes the call down in the turn's log, and returns what the model is to read: the tool's result, or a
     * sentence that says what went wrong. Refuses the call, and calls no tool, where none is left. Returns soon after the turn
     * is cut off, and then it does not matter what.
     */
    String call(ToolExecutionRequest request);

    /** Lets go of what the turn has used; where its calls were used up, the turn's log says so, and how many were refused. */
    @Override
    void close();
}
