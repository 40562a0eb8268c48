package dev.postern.mapping.template;

/**
 * A text that is no template, or one that asks for what templates may not do here.
 *
 * @param line counted from 1, in the template's own text
 * @param column counted from 1
 * @param sentence what is wrong and what to write instead
 */
public record TemplateSyntaxError(int line, int column, String sentence) implements CompileResult {}
