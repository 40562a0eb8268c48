package dev.postern.agent.tool;

/** Why a tool server gave no answer. The message ends the sentence "The tool server …", with neither payload nor secret. */
final class ToolServerException extends RuntimeException {

    /** How far it goes. */
    enum Reach {
        /** Who waited was cut off; nothing is wrong with the server. */
        TURN,
        /** This one answer. */
        ANSWER,
        /** The session, which the server has forgotten; what was asked in it was not done. */
        SESSION,
        /** The connection. */
        CONNECTION
    }

    private final Reach reach;

    ToolServerException(Reach reach, String what) {
        super(what, null, false, false);
        this.reach = reach;
    }

    /** Who waited does not do so any more. */
    static ToolServerException cutOff() {
        return new ToolServerException(Reach.TURN, "was not waited for");
    }

    /** The server took too long to start, or to list its tools. */
    static ToolServerException late() {
        return new ToolServerException(Reach.CONNECTION, "did not answer in time");
    }

    /** The server was let go. */
    static ToolServerException closed() {
        return new ToolServerException(Reach.CONNECTION, "is not spoken to any more");
    }

    Reach reach() {
        return reach;
    }
}
