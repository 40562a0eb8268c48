package dev.postern.mapping.template;

import org.jspecify.annotations.Nullable;

/**
 * A reference of a template to a name that the request gives it. It is written as an expression, or as a placeholder, which
 * looks for {@code item} and {@code index} in the payload where there is no element.
 *
 * @param name the first name of the path, such as {@code item}
 * @param header the name of a header in lower case; null for anything else, and for a header that is not named literally
 * @param isPlaceholder whether it is written as {@code {{item.x}}}
 * @param line counted from 1
 * @param column counted from 1
 */
public record TemplateReference(String name, @Nullable String header, boolean isPlaceholder, int line, int column) {

    /** Whether it is to the element of a fan-out or to its number. */
    public boolean isToElement() {
        return name.equals("item") || name.equals("index");
    }
}
