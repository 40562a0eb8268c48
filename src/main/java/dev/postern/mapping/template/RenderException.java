package dev.postern.mapping.template;

import freemarker.template.TemplateModelException;

/** An exception for an error of a template that shows only at run time. Its message holds nothing of the payload. */
final class RenderException extends TemplateModelException {

    private final String sentence;

    RenderException(String sentence) {
        super(sentence);
        this.sentence = sentence;
    }

    String sentence() {
        return sentence;
    }
}
