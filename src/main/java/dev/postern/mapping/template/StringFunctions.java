package dev.postern.mapping.template;

import dev.postern.mapping.text.CaseConversion;
import freemarker.template.SimpleScalar;
import freemarker.template.SimpleSequence;
import freemarker.template.TemplateBooleanModel;
import freemarker.template.TemplateDateModel;
import freemarker.template.TemplateModel;
import freemarker.template.TemplateModelException;
import freemarker.template.TemplateNumberModel;
import freemarker.template.TemplateScalarModel;
import java.util.List;
import java.util.Locale;
import java.util.StringTokenizer;
import org.jspecify.annotations.Nullable;

/**
 * The functions on letters and words of a text, in place of those for which FreeMarker, or the JDK below it, needs too much
 * time or memory.
 */
record StringFunctions(RenderBudget budget) {

    /** In characters; far more than a date has in any format. */
    private static final int LONGEST_MOMENT = 100;

    private static final String BETWEEN_WORDS = " \t\r\n";

    TemplateModel lower(List<@Nullable TemplateModel> arguments) throws TemplateModelException {
        return scalar(lower(text(arguments.get(0))));
    }

    TemplateModel upper(List<@Nullable TemplateModel> arguments) throws TemplateModelException {
        return scalar(upper(text(arguments.get(0))));
    }

    /** Capitalizes each word: its first letter becomes upper case, the others lower case. */
    TemplateModel capitalized(List<@Nullable TemplateModel> arguments) throws TemplateModelException {
        StringBuilder text = new StringBuilder();
        StringTokenizer words = new StringTokenizer(text(arguments.get(0)), BETWEEN_WORDS, true);
        while (words.hasMoreTokens()) {
            String word = words.nextToken();
            budget.tick();
            text.append(upper(word.substring(0, 1))).append(lower(word.substring(1)));
        }
        return scalar(text.toString());
    }

    TemplateModel words(List<@Nullable TemplateModel> arguments) throws TemplateModelException {
        SimpleSequence list = new SimpleSequence(TemplateEngine.WRAPPER);
        StringTokenizer words = new StringTokenizer(text(arguments.get(0)));
        while (words.hasMoreTokens()) {
            list.add(new SimpleScalar(words.nextToken()));
            budget.items(list.size());
        }
        return list;
    }

    /** The value to parse as a date. A long text is rejected, because endless digits would be computed one by one. */
    static @Nullable TemplateModel moment(List<@Nullable TemplateModel> arguments) throws TemplateModelException {
        if (arguments.get(0) instanceof TemplateScalarModel text
                && text.getAsString().length() > LONGEST_MOMENT) {
            throw new RenderException("A text of more than " + LONGEST_MOMENT + " characters is no date.");
        }
        return arguments.get(0);
    }

    /** The text of a value that can be used as one. */
    static String text(@Nullable TemplateModel model) throws TemplateModelException {
        if (model instanceof TemplateScalarModel
                || model instanceof TemplateNumberModel
                || model instanceof TemplateBooleanModel
                || model instanceof TemplateDateModel) {
            return ValueFormatter.of(model);
        }
        throw new RenderException("A text is needed here.");
    }

    private String lower(String text) {
        return CaseConversion.lower(text, Locale.ROOT, budget::tick);
    }

    private String upper(String text) {
        return CaseConversion.upper(text, Locale.ROOT, budget::tick);
    }

    private SimpleScalar scalar(String text) {
        return new SimpleScalar(budget.text(text));
    }
}
