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
 * The equality that {@code ==} means in a template. FreeMarker treats texts that only look alike as equal, and fails if the
 * kinds differ. Here texts are equal character by character only, and values of different kinds are never equal. A missing
 * value equals another one, an empty text, zero and false.
 */
final class LooseEquality {

    private LooseEquality() {}

    static TemplateBooleanModel of(@Nullable TemplateModel left, @Nullable TemplateModel right)
            throws TemplateModelException {
        TemplateModel a = left == null ? JsonTemplateModels.NONE : left;
        TemplateModel b = right == null ? JsonTemplateModels.NONE : right;
        return same(a, b) ? TemplateBooleanModel.TRUE : TemplateBooleanModel.FALSE;
    }

    /**
     * The index, from 0, of the first case that equals the value; -1 if none does. The value is the first argument, and the
     * cases follow.
     */
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
