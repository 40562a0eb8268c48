package dev.postern.mapping.template;

import dev.postern.mapping.text.Casing;
import freemarker.template.SimpleScalar;
import freemarker.template.TemplateBooleanModel;
import freemarker.template.TemplateModel;
import freemarker.template.TemplateModelException;
import freemarker.template.TemplateNumberModel;
import freemarker.template.TemplateScalarModel;
import java.util.List;
import java.util.Locale;
import java.util.StringTokenizer;
import org.jspecify.annotations.Nullable;

/** The operations on texts whose time FreeMarker, or the JDK below it, lets grow with the square of their length. */
record Wording(Allowance allowance) {

    /** To look for so long a text in the longest payload takes some hundredths of a second at worst. */
    private static final int LONGEST_SOUGHT = 500;

    /** Far more than a date has, in any format. */
    private static final int LONGEST_MOMENT = 100;

    private static final String BETWEEN_WORDS = " \t\r\n";

    /** A text. */
    @Nullable
    TemplateModel lower(List<?> arguments) throws TemplateModelException {
        return arguments.get(0) == null ? null : scalar(lower(text(arguments)));
    }

    /** A text. */
    @Nullable
    TemplateModel upper(List<?> arguments) throws TemplateModelException {
        return arguments.get(0) == null ? null : scalar(upper(text(arguments)));
    }

    /** A text, of which each word is to begin with a capital letter and go on with small ones. */
    @Nullable
    TemplateModel capitalized(List<?> arguments) throws TemplateModelException {
        if (arguments.get(0) == null) {
            return null;
        }
        StringBuilder text = new StringBuilder();
        for (var each = new StringTokenizer(text(arguments), BETWEEN_WORDS, true); each.hasMoreTokens(); ) {
            String word = each.nextToken();
            allowance.tick();
            text.append(upper(word.substring(0, 1))).append(lower(word.substring(1)));
        }
        return scalar(text.toString());
    }

    /** What is to be looked for in a text; to look for a long one in a long one takes length times length. */
    TemplateModel sought(List<?> arguments) throws TemplateModelException {
        TemplateModel model = (TemplateModel) arguments.get(0);
        sought(Building.shown(model));
        return model;
    }

    static String sought(String text) {
        if (text.length() > LONGEST_SOUGHT) {
            throw new Stopped("The template looks for a text of more than " + LONGEST_SOUGHT + " characters.");
        }
        return text;
    }

    /** What is to be read as a date; digits without end would be reckoned with one by one. */
    @Nullable
    TemplateModel moment(List<?> arguments) throws TemplateModelException {
        TemplateModel model = (TemplateModel) arguments.get(0);
        if (model instanceof TemplateScalarModel text && text.getAsString().length() > LONGEST_MOMENT) {
            throw new Fault("A text of more than " + LONGEST_MOMENT + " characters is no date.");
        }
        return model;
    }

    private static String text(List<?> arguments) throws TemplateModelException {
        TemplateModel model = (TemplateModel) arguments.get(0);
        if (model instanceof TemplateScalarModel
                || model instanceof TemplateNumberModel
                || model instanceof TemplateBooleanModel) {
            return Building.shown(model);
        }
        throw new Fault("A text is needed here.");
    }

    private String lower(String text) {
        return Casing.lower(text, Locale.ROOT, allowance::tick);
    }

    private String upper(String text) {
        return Casing.upper(text, Locale.ROOT, allowance::tick);
    }

    private SimpleScalar scalar(String text) {
        return new SimpleScalar(allowance.text(text));
    }
}
