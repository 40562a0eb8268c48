package dev.postern.mail;

/** An exception that says in words for the operator why a mailbox can't be read. */
public final class MailException extends Exception {

    private static final long serialVersionUID = 1L;

    /** The kind of error. */
    public enum Kind {
        /** The server can't be reached, or does not speak the protocol as expected. */
        UNREACHABLE("the mail server can't be reached"),
        /** The server's certificate is invalid, is for another host, or is not signed by a trusted authority. */
        UNTRUSTED("the mail server's certificate is not accepted"),
        /** The server refuses the login. */
        LOGIN("the login is refused"),
        /** The folder does not exist. */
        LABEL("the folder is not there"),
        /** The connection was lost. */
        LOST("the connection was lost"),
        /** The database does not store how far the folder was read. */
        DATABASE("the database does not store which mails were read");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        /** A few words for the operator that may also be shown in public. */
        String words() {
            return words;
        }
    }

    private final Kind kind;
    private final String sentence;

    /**
     * @param sentence the problem, and what to do about it where that is known; without secrets
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

    /** The problem, and what to do about it where that is known; without secrets. */
    public String sentence() {
        return sentence;
    }

    /** The kind of error. */
    public Kind kind() {
        return kind;
    }
}
