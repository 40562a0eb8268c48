package dev.postern.mapping.template;

import freemarker.template.SimpleNumber;
import freemarker.template.TemplateBooleanModel;
import freemarker.template.TemplateDateModel;
import freemarker.template.TemplateException;
import freemarker.template.TemplateModel;
import freemarker.template.TemplateModelException;
import freemarker.template.TemplateNumberModel;
import freemarker.template.TemplateScalarModel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When {@code ==} holds. FreeMarker takes texts for the same that only look alike, and fails where the kinds differ; here
 * texts are the same character by character, and values of different kinds never are. A missing value is the same as
 * another one, and as an empty text, zero and false.
 */
final class LooseEquality {

    private LooseEquality() {}

    static TemplateBooleanModel of(@Nullable TemplateModel left, @Nullable TemplateModel right)
            throws TemplateModelException {
        TemplateModel a = left == null ? JsonTemplateModels.NONE : left;
        TemplateModel b = right == null ? JsonTemplateModels.NONE : right;
        return same(a, b) ? TemplateBooleanModel.TRUE : TemplateBooleanModel.FALSE;
    }

    /** How many values the first that is the same as the value before them all has before it; -1 where none is. */
    static TemplateModel which(List<@Nullable TemplateModel> valueAndCases) throws TemplateModelException {
        for (int i = 1; i < valueAndCases.size(); i++) {
            if (of(valueAndCases.get(0), valueAndCases.get(i)) == TemplateBooleanModel.TRUE) {
                return new SimpleNumber(i - 1);
            }
        }
        return new SimpleNumber(-1);
    }

    private static boolean same(TemplateModel left, TemplateModel right) throws TemplateModelException {
        if (left == right) {
            return true;
        }
        if (left instanceof TemplateNumberModel a && right instanceof TemplateNumberModel b) {
            return compare(a.getAsNumber(), b.getAsNumber()) == 0;
        }
        if (left instanceof TemplateScalarModel a && right instanceof TemplateScalarModel b) {
            return a.getAsString().equals(b.getAsString());
        }
        if (left instanceof TemplateBooleanModel a && right instanceof TemplateBooleanModel b) {
            return a.getAsBoolean() == b.getAsBoolean();
        }
        return left instanceof TemplateDateModel a
                && right instanceof TemplateDateModel b
                && a.getAsDate().toInstant().equals(b.getAsDate().toInstant());
    }

    private static int compare(Number left, Number right) throws TemplateModelException {
        try {
            return DecimalArithmetic.INSTANCE.compareNumbers(left, right);
        } catch (TemplateException e) {
            throw new TemplateModelException("numbers that can't be compared", e);
        }
    }
}
