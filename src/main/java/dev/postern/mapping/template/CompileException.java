package dev.postern.mapping.template;

/** Ends the compilation of a template that can't be one. */
final class CompileException extends RuntimeException {

    private final TemplatePosition templatePosition;

    CompileException(TemplatePosition templatePosition, String sentence) {
        super(sentence, null, false, false);
        this.templatePosition = templatePosition;
    }

    TemplateSyntaxError flaw() {
        return new TemplateSyntaxError(
                templatePosition.line(), templatePosition.column(), String.valueOf(getMessage()));
    }
}
