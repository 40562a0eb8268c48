package dev.postern.mapping.template;

/** A part of a template's text. */
sealed interface Piece {

    /** Text that stands for itself. */
    record Literal(String text) implements Piece {}

    /** A {@code {{placeholder}}}. */
    record Placeholder(Lookup lookup) implements Piece {}
}
