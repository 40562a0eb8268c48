package dev.postern.mapping.template;

/** A part of a template's text. */
sealed interface Piece {

    /** Text that stands for itself. */
    record Literal(String text) implements Piece {}

    /** A {@code {{placeholder}}} and where it stands. */
    record Placeholder(Lookup lookup, Place place) implements Piece {}
}
