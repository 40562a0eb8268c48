package dev.postern.access;

/** A kind of authentication failure, as the log counts it. */
enum FailureKind {
    NO_TOKEN("no token"),
    WRONG_TOKEN("wrong token"),
    SIGNATURE("no or wrong signature"),
    LOGIN("wrong login");

    private final String label;

    FailureKind(String label) {
        this.label = label;
    }

    /** The kind in words for a line of the log. */
    String label() {
        return label;
    }
}
