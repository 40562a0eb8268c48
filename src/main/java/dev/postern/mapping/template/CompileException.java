package dev.postern.mapping.template;

/** An exception that ends the compilation of an invalid template. */
final class CompileException extends RuntimeException {

    private final TemplatePosition templatePosition;

    CompileException(TemplatePosition templatePosition, String sentence) {
        super(sentence, null, false, false);
        this.templatePosition = templatePosition;
    }

    TemplateSyntaxError syntaxError() {
        return new TemplateSyntaxError(
                templatePosition.line(), templatePosition.column(), String.valueOf(getMessage()));
    }
}
