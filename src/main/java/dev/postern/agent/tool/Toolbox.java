package dev.postern.agent.tool;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.postern.agent.ApprovalQuestion;
import java.util.List;
import java.util.Optional;

/** A toolbox with the tools of one turn. Used by the turn's thread alone. */
public interface Toolbox extends AutoCloseable {

    /** The descriptions of the tools for the model, with names that every provider accepts. */
    List<ToolSpecification> tools();

    /**
     * The reason why a call that an operator has approved can't be made now, although it may be later: a sentence without
     * payload and secret. Empty if there is no such call.
     */
    Optional<String> obstacle();

    /** The number of calls that the turn may still make; 0 if it has no tools. */
    int callsLeft();

    /**
     * The questions that operators must answer before the first of {@code next} may be called; empty if it may be called.
     * There may be questions about those behind it too, so that all are asked together.
     *
     * @param next the calls that the model wants next, in order
     */
    List<ApprovalQuestion> questions(List<ToolExecutionRequest> next);

    /**
     * Calls a tool, records the call, and returns the text for the model: the tool's result, or a sentence about the error.
     * Refuses the call, and calls no tool, if none is left. Returns soon after the turn is cancelled; the text does not
     * matter then.
     */
    String call(ToolExecutionRequest request);

    /**
     * Records a call that the model's output limit cut off, whose arguments may lack something. Calls no tool, and returns
     * the sentence for the model.
     */
    String refuseCut(ToolExecutionRequest request);

    /** Ends the turn's use of tools. If its calls were used up, the turn's record says so, and how many were refused. */
    @Override
    void close();
}
