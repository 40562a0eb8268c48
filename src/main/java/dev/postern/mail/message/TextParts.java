package dev.postern.mail.message;

import jakarta.mail.internet.MimePart;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** Which parts of a mail are its text. */
sealed interface TextParts {

    /** No part. */
    TextParts NONE = new Joined(List.of());

    /** How text is written; the first ones are preferred to the others. */
    enum Kind {
        /** As it is read. */
        PLAIN,
        HTML,
        /** Shown as it is written, where nothing better is there. */
        OTHER,
        /** For machines, but readable. */
        SPARE
    }

    /** One part. */
    record Leaf(MimePart part, MediaType type, Kind kind) implements TextParts {}

    /** All of them, one after the other. */
    record Joined(List<TextParts> parts) implements TextParts {}

    /** The first one in which anything can be seen. */
    record FirstOf(List<TextParts> options) implements TextParts {}

    /** Several texts in one mail. */
    static TextParts joined(List<TextParts> parts) {
        List<TextParts> some = parts.stream().filter(part -> part != NONE).toList();
        return switch (some.size()) {
            case 0 -> NONE;
            case 1 -> some.get(0);
            default -> new Joined(some);
        };
    }

    /** One text in several forms, the best last (RFC 2046, section 5.1.4); the plainest is preferred. */
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
