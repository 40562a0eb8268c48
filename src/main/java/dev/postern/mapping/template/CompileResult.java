package dev.postern.mapping.template;

/** What became of a template's text at start. */
public sealed interface CompileResult permits Template, TemplateSyntaxError {}
