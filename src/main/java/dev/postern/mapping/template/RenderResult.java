package dev.postern.mapping.template;

/** What a template made of a request. */
public sealed interface RenderResult {

    /** The text. */
    record Text(String value) implements RenderResult {}

    /** The template said {@code <#stop>}: there is nothing to do with this request. */
    record Nothing() implements RenderResult {}

    /**
     * No text, for a fault that shows only with this payload, or for one of the bounds.
     *
     * @param line counted from 1, in the template's own text
     * @param column counted from 1
     * @param sentence for a person; holds nothing of the payload
     */
    record Failed(int line, int column, String sentence) implements RenderResult {

        Failed(TemplatePosition templatePosition, String sentence) {
            this(templatePosition.line(), templatePosition.column(), sentence);
        }
    }
}
