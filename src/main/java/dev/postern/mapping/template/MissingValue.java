package dev.postern.mapping.template;

/**
 * A position in a template that had no value for the request that was tried.
 *
 * @param path as the template has it, such as {@code payload.user.name}
 * @param line counted from 1
 * @param column counted from 1
 * @param isShown whether the text would show the value there, rather than test it or compute with it
 */
public record MissingValue(String path, int line, int column, boolean isShown) {}
