package dev.postern.mail;

/** A mailbox that can't be read, in words for the operator. */
public final class MailFault extends Exception {

    private static final long serialVersionUID = 1L;

    /** What is at fault. */
    public enum Kind {
        /** The server is not there, or not to be spoken with. */
        UNREACHABLE,
        /** Nobody vouches for the server. */
        UNTRUSTED,
        /** The server does not let us in. */
        LOGIN,
        /** The folder is not there. */
        LABEL,
        /** The connection was lost. */
        LOST
    }

    private final Kind kind;
    private final String sentence;

    /**
     * @param sentence what is wrong, and what to do where that is known; no secret
     */
    MailFault(Kind kind, String sentence) {
        super(sentence);
        this.kind = kind;
        this.sentence = sentence;
    }

    MailFault(Kind kind, String sentence, Throwable cause) {
        super(sentence, cause);
        this.kind = kind;
        this.sentence = sentence;
    }

    /** What is wrong, and what to do where that is known; no secret. */
    public String sentence() {
        return sentence;
    }

    /** What is at fault. */
    public Kind kind() {
        return kind;
    }
}
