package dev.postern.mapping.template;

/**
 * A syntax error of a template, or its use of something that templates may not do here.
 *
 * @param line counted from 1, in the template's own text
 * @param column counted from 1
 * @param sentence the error and what to write instead
 */
public record TemplateSyntaxError(int line, int column, String sentence) implements CompileResult {}
