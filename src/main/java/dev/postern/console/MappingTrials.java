package dev.postern.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** The trials of mappings, which map a payload and perform no action. */
@FunctionalInterface
public interface MappingTrials {

    /** Maps {@code sent} without performing its actions. */
    TrialResult of(TrialRequest trialRequest);

    /**
     * A request as its sender would send it, which counts as authenticated.
     *
     * @param hook the path below the hook prefix
     * @param payload JSON
     * @param headers the values by name, in any case
     * @param query the values of the query's parameters by name
     */
    record TrialRequest(String hook, String payload, Map<String, String> headers, Map<String, String> query) {}

    /**
     * The result of a trial.
     *
     * @param explanation the actions and the response, in the form of {@code ExplanationJson}
     * @param messages the text that a model would get for each action that policy allows, in their order
     */
    record TrialResult(ObjectNode explanation, List<String> messages) {}
}
