package dev.postern.mapping.template;

/** A result of rendering a template for one request. */
public sealed interface RenderResult {

    /** The rendered text. */
    record Text(String value) implements RenderResult {}

    /**
     * A result without text. The template said {@code <#stop>}, so there is nothing to do with this request. Or the text may
     * lack no part, and one has no value.
     */
    record Nothing() implements RenderResult {}

    /**
     * A failure without text: an error that shows only with this payload, or one of the limits.
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
