package dev.postern.mapping.template;

/**
 * A warning at start about a part of a template that looks like something that it isn't.
 *
 * @param line counted from 1
 * @param column counted from 1
 * @param sentence the part, how it is interpreted, and what to write instead
 */
public record TemplateWarning(int line, int column, String sentence) {}
