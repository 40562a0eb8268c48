package dev.postern.mapping.template;

/**
 * A part of a template that looks like something that it isn't: worth a warning at start.
 *
 * @param line counted from 1
 * @param column counted from 1
 * @param sentence what was found, how it is taken, what to write instead
 */
public record TemplateWarning(int line, int column, String sentence) {}
