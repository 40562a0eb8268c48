package dev.postern.mapping.template;

import freemarker.template.SimpleNumber;
import freemarker.template.SimpleScalar;
import freemarker.template.SimpleSequence;
import freemarker.template.TemplateBooleanModel;
import freemarker.template.TemplateModel;
import freemarker.template.TemplateModelException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The functions that search for one text in another. The JDK can need time in proportion to the product of both lengths if
 * the texts are made for it, and can't be stopped meanwhile.
 */
record SearchFunctions(RenderBudget budget) {

    TemplateModel contains(List<@Nullable TemplateModel> arguments) throws TemplateModelException {
        return first(text(arguments), sought(arguments), 0) >= 0
                ? TemplateBooleanModel.TRUE
                : TemplateBooleanModel.FALSE;
    }

    /** The first index of a text in another. The arguments are the text, the searched text, and optionally the start. */
    TemplateModel indexOf(List<@Nullable TemplateModel> arguments) throws TemplateModelException {
        int from = arguments.size() > 2 ? DecimalArithmetic.integer(arguments.get(2)) : 0;
        return new SimpleNumber(first(text(arguments), sought(arguments), from));
    }

    /**
     * The last index of a text in another. The arguments are the text, the searched text, and optionally the index to
     * search backwards from.
     */
    TemplateModel lastIndexOf(List<@Nullable TemplateModel> arguments) throws TemplateModelException {
        int from = arguments.size() > 2 ? DecimalArithmetic.integer(arguments.get(2)) : Integer.MAX_VALUE;
        return new SimpleNumber(last(text(arguments), sought(arguments), from));
    }

    /** The parts between the separators; each character if the separator is empty. */
    TemplateModel split(List<@Nullable TemplateModel> arguments) throws TemplateModelException {
        String text = text(arguments);
        String separator = sought(arguments);
        SimpleSequence parts = new SimpleSequence(TemplateEngine.WRAPPER);
        int start = 0;
        for (int end = end(text, separator, 0); end >= 0; end = end(text, separator, start)) {
            parts.add(new SimpleScalar(text.substring(start, end)));
            budget.items(parts.size());
            start = end + separator.length();
        }
        parts.add(new SimpleScalar(text.substring(start)));
        return parts;
    }

    /** The end of the part that begins at {@code start}; -1 for the last part. */
    private int end(String text, String separator, int start) {
        if (separator.isEmpty()) {
            return start + 1 < text.length() ? start + 1 : -1;
        }
        return first(text, separator, start);
    }

    /** The text before the searched text; all of it if that is absent. */
    TemplateModel keepBefore(List<@Nullable TemplateModel> arguments, boolean last) throws TemplateModelException {
        String text = text(arguments);
        int at = find(text, sought(arguments), last);
        return new SimpleScalar(at < 0 ? text : text.substring(0, at));
    }

    /** The text after the searched text; empty if that is absent. */
    TemplateModel keepAfter(List<@Nullable TemplateModel> arguments, boolean last) throws TemplateModelException {
        String text = text(arguments);
        String sought = sought(arguments);
        int at = find(text, sought, last);
        return new SimpleScalar(at < 0 ? "" : text.substring(at + sought.length()));
    }

    /** Replaces a text. The arguments are the text, the searched text, and the replacement. */
    TemplateModel replace(List<@Nullable TemplateModel> arguments) throws TemplateModelException {
        String text = text(arguments);
        String old = sought(arguments);
        String by = ValueFormatter.of(arguments.get(2));
        BoundedWriter result = new BoundedWriter(RenderBudget.MAX_TEXT);
        int start = 0;
        for (int at = old.isEmpty() ? -1 : first(text, old, 0); at >= 0; at = first(text, old, start)) {
            result.write(text, start, at - start);
            result.write(by);
            start = at + old.length();
        }
        result.write(text, start, text.length() - start);
        return new SimpleScalar(result.toString());
    }

    private static String text(List<@Nullable TemplateModel> arguments) throws TemplateModelException {
        return StringFunctions.text(arguments.get(0));
    }

    private static String sought(List<@Nullable TemplateModel> arguments) throws TemplateModelException {
        return ValueFormatter.of(arguments.get(1));
    }

    private int find(String text, String sought, boolean last) {
        return last ? last(text, sought, text.length()) : first(text, sought, 0);
    }

    private int first(String text, String sought, int from) {
        int at = text.indexOf(head(sought), from);
        while (at >= 0 && !text.startsWith(sought, at)) {
            budget.tick();
            at = text.indexOf(head(sought), at + 1);
        }
        return at;
    }

    private int last(String text, String sought, int from) {
        int at = text.lastIndexOf(head(sought), from);
        while (at >= 0 && !text.startsWith(sought, at)) {
            budget.tick();
            at = text.lastIndexOf(head(sought), at - 1);
        }
        return at;
    }

    /** The start of a text, so short that the search for it takes time in proportion to the other text's length only. */
    private static String head(String sought) {
        return sought.substring(0, Math.min(1, sought.length()));
    }
}
