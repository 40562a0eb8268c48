package dev.postern.agent.tool;

/** Why a tool server gave no answer. The message ends the sentence "The tool server …", with neither payload nor secret. */
final class Fault extends RuntimeException {

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

    Fault(Reach reach, String what) {
        super(what, null, false, false);
        this.reach = reach;
    }

    /** Who waited does not do so any more. */
    static Fault cutOff() {
        return new Fault(Reach.TURN, "was not waited for");
    }

    /** The server took too long to start, or to list its tools. */
    static Fault late() {
        return new Fault(Reach.CONNECTION, "did not answer in time");
    }

    /** The server was let go. */
    static Fault closed() {
        return new Fault(Reach.CONNECTION, "is not spoken to any more");
    }

    Reach reach() {
        return reach;
    }
}
