package dev.postern.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** Says what would become of a payload, and does nothing of it. */
@FunctionalInterface
public interface MappingTrials {

    /** What would become of {@code sent}. */
    Told of(Sent sent);

    /**
     * A request as its sender would send it, admitted by whatever its hook asks for.
     *
     * @param hook the path below the hook prefix
     * @param payload JSON
     * @param headers by name, in any case
     */
    record Sent(String hook, String payload, Map<String, String> headers) {}

    /**
     * What would become of it.
     *
     * @param explanation as {@code ExplanationJson} has it
     * @param messages what a model would be given to read of each action that policy lets through, in their order
     */
    record Told(ObjectNode explanation, List<String> messages) {}
}
