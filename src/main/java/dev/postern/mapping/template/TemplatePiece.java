package dev.postern.mapping.template;

/** A part of a template's text. */
sealed interface TemplatePiece {

    /** Text that stands for itself. */
    record Literal(String text) implements TemplatePiece {}

    /** A {@code {{placeholder}}} and where it stands. */
    record Placeholder(PlaceholderPath lookup, TemplatePosition place) implements TemplatePiece {}
}
