package dev.postern.mapping.template;

/** A piece of a template's text. */
sealed interface TemplatePiece {

    /** A piece of literal text. */
    record Literal(String text) implements TemplatePiece {}

    /** A {@code {{placeholder}}} and its position. */
    record Placeholder(PlaceholderPath lookup, TemplatePosition place) implements TemplatePiece {}
}
