package dev.postern.mapping.template;

/** A result of compiling a template: the template, or its syntax error. */
public sealed interface CompileResult permits Template, TemplateSyntaxError {}
