package dev.postern.mail;

/** Why a mail asked for nothing. */
public enum MailSkipReason {
    /** Its mapping found nothing to do. */
    NOTHING("nothing_to_do", "its mapping found nothing to do"),
    /** No mapping takes what comes to the hook. */
    NO_MAPPING("no_mapping", "no mapping takes it"),
    /** Its mapping could not make use of it, or policy forbids what it asks for. */
    REFUSED("refused", "what its mapping makes of it is refused"),
    /** Its mapping's script failed. */
    SCRIPT("script_failed", "its mapping's script failed"),
    /** The connection was lost whenever it was read. */
    UNREADABLE("unreadable", "the connection was lost whenever it was read"),
    /** Somebody took it out of the folder before it was read. */
    GONE("gone", "it was taken out of the folder before it was read");

    private final String label;
    private final String words;

    MailSkipReason(String label, String words) {
        this.label = label;
        this.words = words;
    }

    /** For a metric. */
    public String label() {
        return label;
    }

    /** For a person. */
    public String words() {
        return words;
    }
}
