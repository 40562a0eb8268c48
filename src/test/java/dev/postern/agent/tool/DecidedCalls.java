package dev.postern.agent.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.agent.ToolApprovals;
import dev.postern.agent.TurnJournal;
import dev.postern.agent.TurnJournal.ToolResult;
import dev.postern.model.ApprovalDecision;
import dev.postern.model.TurnRecord.ToolCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decisions in memory about calls of the tool {@code echo}. */
final class DecidedCalls implements ToolApprovals {

    /** The numbers of the calls that were begun, in order. */
    final List<Integer> made = new ArrayList<>();

    /** The server that the decisions are about. */
    String server = "lab";

    private final Map<Integer, ApprovalDecision> decisions = new HashMap<>();
    private final Map<Integer, ToolResult> results = new HashMap<>();

    /** Decides about the calls that each first response of a model asks for. */
    void all(ApprovalDecision decision) {
        decide(0, decision);
        decide(2, decision);
    }

    void decide(int call, ApprovalDecision decision) {
        decisions.put(call, decision);
    }

    @Override
    public boolean canWait() {
        return true;
    }

    @Override
    public Optional<Decided> find(int call) {
        return Optional.ofNullable(decisions.get(call))
                .map(decision -> new Decided(server, "echo", decision, made.contains(call), results.get(call)));
    }

    @Override
    public List<Decided> pending() {
        return decisions.keySet().stream()
                .flatMap(call -> find(call).stream())
                .filter(Decided::isPending)
                .toList();
    }

    @Override
    public boolean begin(int call) {
        return made.add(call);
    }

    @Override
    public void end(int call, ToolResult result) {
        ToolCall record = result.call();
        assertThat(record.server()).isEqualTo("lab");
        results.put(call, TurnJournal.decodeResult(TurnJournal.encode(result)));
    }
}
