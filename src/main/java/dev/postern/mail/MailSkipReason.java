package dev.postern.mail;

/** The reason why a mail led to no action. */
public enum MailSkipReason {
    /** Its mapping found nothing to do. */
    NOTHING("nothing_to_do", "its mapping found nothing to do"),
    /** No mapping matches the hook's payload. */
    NO_MAPPING("no_mapping", "no mapping takes it"),
    /** Its mapping rejected it, or policy forbids its actions. */
    REFUSED("refused", "what its mapping makes of it is refused"),
    /** Its mapping's script failed. */
    SCRIPT("script_failed", "its mapping's script failed"),
    /** The server refused to give it, or the connection was lost, each time it was read. */
    UNREADABLE("unreadable", "the mail server failed to give it each time"),
    /** It was removed from the folder before it was read. */
    GONE("gone", "it was taken out of the folder before it was read");

    private final String label;
    private final String words;

    MailSkipReason(String label, String words) {
        this.label = label;
        this.words = words;
    }

    /** The value of the metric's label. */
    public String label() {
        return label;
    }

    /** The reason in words for the operator. */
    public String words() {
        return words;
    }
}
