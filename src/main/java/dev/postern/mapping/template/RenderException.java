package dev.postern.mapping.template;

import freemarker.template.TemplateModelException;

/** A template's fault that shows at run time, in a sentence that holds nothing of the payload. */
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
