package dev.postern.agent;

import dev.postern.agent.TurnJournal.ToolResult;
import dev.postern.model.ApprovalDecision;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The operators' decisions about the tool calls of one turn. A call is known by its number: that of the calls before it in
 * the turn. Used by the turn's thread alone.
 */
public interface ToolApprovals {

    /** The decisions of a turn that can't wait for any, such as a heartbeat. */
    ToolApprovals UNAVAILABLE = new ToolApprovals() {

        @Override
        public boolean canWait() {
            return false;
        }

        @Override
        public Optional<Decided> find(int call) {
            return Optional.empty();
        }

        @Override
        public List<Decided> pending() {
            return List.of();
        }

        @Override
        public boolean begin(int call) {
            return false;
        }

        @Override
        public void end(int call, ToolResult result) {}
    };

    /**
     * A decision about a call.
     *
     * @param server the id of the server of the tool that the decision is about
     * @param tool the tool's name at its server
     * @param begun whether the call was begun by an earlier attempt
     * @param result its result, if that was written; null otherwise
     */
    record Decided(String server, String tool, ApprovalDecision decision, boolean begun, @Nullable ToolResult result) {

        /** Whether the call is approved, and no attempt has begun it. */
        public boolean isPending() {
            return decision == ApprovalDecision.APPROVED && !begun && result == null;
        }

        /**
         * Whether the decision is about {@code toolName} of {@code serverId}. A name that a model knows may be another
         * server's tool since the question was asked.
         */
        public boolean isAbout(String serverId, String toolName) {
            return server.equals(serverId) && tool.equals(toolName);
        }
    }

    /** Whether the turn can be paused until an operator has decided. */
    boolean canWait();

    /** The decision about the call with the number {@code call}; empty if there is none. */
    Optional<Decided> find(int call);

    /** The decisions about the approved calls that no attempt has begun. */
    List<Decided> pending();

    /**
     * Writes that an approved call is made now. It is on disk when the method returns.
     *
     * @return false if the call must not be made: the turn is no longer this node's, another attempt has begun the call, or
     *     the database can't be written
     */
    boolean begin(int call);

    /** Writes the result of an approved call, so that no later attempt makes it again. */
    void end(int call, ToolResult result);
}
