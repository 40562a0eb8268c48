package dev.postern.mail.message;

import jakarta.mail.internet.MimePart;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** The parts of a mail that are its text. */
sealed interface TextParts {

    /** No part. */
    TextParts NONE = new Joined(List.of());

    /** The kind of a text, the preferred ones first. */
    enum Kind {
        /** Plain text. */
        PLAIN,
        HTML,
        /** Another text format, shown as it is if there is nothing better. */
        OTHER,
        /** A format for machines that people can read too. */
        SPARE
    }

    /** A single part. */
    record Leaf(MimePart part, MediaType type, Kind kind) implements TextParts {}

    /** A sequence of texts that belong together. */
    record Joined(List<TextParts> parts) implements TextParts {}

    /** A choice of texts, of which the first one that is not blank counts. */
    record FirstOf(List<TextParts> options) implements TextParts {}

    /** Joins several texts of one mail. */
    static TextParts joined(List<TextParts> parts) {
        List<TextParts> some = parts.stream().filter(part -> part != NONE).toList();
        return switch (some.size()) {
            case 0 -> NONE;
            case 1 -> some.get(0);
            default -> new Joined(some);
        };
    }

    /** Chooses among several forms of one text, the richest last (RFC 2046, section 5.1.4); the plainest is preferred. */
    static TextParts plainest(List<TextParts> forms) {
        List<TextParts> some =
                new ArrayList<>(forms.stream().filter(form -> form != NONE).toList());
        Collections.reverse(some);
        some.sort(Comparator.comparing(TextParts::kindOf));
        return some.isEmpty() ? NONE : new FirstOf(some);
    }

    private static Kind kindOf(TextParts text) {
        if (text instanceof Leaf leaf) {
            return leaf.kind();
        }
        List<TextParts> inner = text instanceof Joined joined ? joined.parts() : ((FirstOf) text).options();
        return inner.isEmpty() ? Kind.SPARE : kindOf(inner.get(0));
    }
}
