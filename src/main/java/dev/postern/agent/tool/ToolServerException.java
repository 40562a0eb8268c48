package dev.postern.agent.tool;

/**
 * An error of a tool server that gave no response. The message completes the sentence "The tool server …" and contains
 * neither payload nor secret.
 */
final class ToolServerException extends RuntimeException {

    /** The scope of the error. */
    enum Scope {
        /** The turn that waited was cancelled; the server has no error. */
        TURN,
        /** This response alone. */
        ANSWER,
        /** The session, which the server has forgotten; it did not do what the request in it asked for. */
        SESSION,
        /** The connection. */
        CONNECTION
    }

    private final Scope scope;

    ToolServerException(Scope scope, String what) {
        super(what, null, false, false);
        this.scope = scope;
    }

    /** The error for a turn that no longer waits. */
    static ToolServerException cancelled() {
        return new ToolServerException(Scope.TURN, "was not waited for");
    }

    /** The error for a server that took too long to start, or to list its tools. */
    static ToolServerException late() {
        return new ToolServerException(Scope.CONNECTION, "did not answer in time");
    }

    /** The error for a connection that was closed. */
    static ToolServerException closed() {
        return new ToolServerException(Scope.CONNECTION, "is not spoken to any more");
    }

    Scope scope() {
        return scope;
    }
}
