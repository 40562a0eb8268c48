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

    Reach reach() {
        return reach;
    }
}
