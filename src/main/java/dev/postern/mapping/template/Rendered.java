package dev.postern.mapping.template;

/** What a template made of a request. */
public sealed interface Rendered {

    /** The text. */
    record Text(String value) implements Rendered {}

    /** The template said {@code <#stop>}: there is nothing to do with this request. */
    record Nothing() implements Rendered {}

    /**
     * No text, for a fault that shows only with this payload, or for one of the bounds.
     *
     * @param line counted from 1, in the template's own text
     * @param column counted from 1
     * @param sentence for a person; holds nothing of the payload
     */
    record Failed(int line, int column, String sentence) implements Rendered {

        Failed(Place place, String sentence) {
            this(place.line(), place.column(), sentence);
        }
    }
}
