package dev.postern.mail;

/** A mailbox that can't be read, in words for the operator. */
public final class MailException extends Exception {

    private static final long serialVersionUID = 1L;

    /** What is at fault. */
    public enum Kind {
        /** The server is not there, or not to be spoken with. */
        UNREACHABLE("the mail server can't be reached"),
        /** The server's certificate is not good, or for another host, or nobody vouches for it. */
        UNTRUSTED("the mail server's certificate is not accepted"),
        /** The server does not let us in. */
        LOGIN("the login is refused"),
        /** The folder is not there. */
        LABEL("the folder is not there"),
        /** The connection was lost. */
        LOST("the connection was lost");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        /** A few words for the operator that strangers may see too. */
        String words() {
            return words;
        }
    }

    private final Kind kind;
    private final String sentence;

    /**
     * @param sentence what is wrong, and what to do where that is known; no secret
     */
    MailException(Kind kind, String sentence) {
        super(sentence);
        this.kind = kind;
        this.sentence = sentence;
    }

    MailException(Kind kind, String sentence, Throwable cause) {
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
