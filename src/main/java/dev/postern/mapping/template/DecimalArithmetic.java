package dev.postern.mapping.template;

import freemarker.core.ArithmeticEngine;
import freemarker.template.TemplateException;
import freemarker.template.TemplateModel;
import freemarker.template.TemplateModelException;
import freemarker.template.TemplateNumberModel;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** An arithmetic engine for decimals without loss. It limits the size of numbers, so that every calculation is fast. */
final class DecimalArithmetic extends ArithmeticEngine {

    static final DecimalArithmetic INSTANCE = new DecimalArithmetic();

    /** The most digits of a number, on either side of the point. */
    static final int MAX_DIGITS = 1_100;

    /** Far more than the items of any list, and small enough that two of them can be added. */
    private static final int MAX_INT = 1_000_000_000;

    private DecimalArithmetic() {}

    static boolean isHuge(BigDecimal number) {
        return number.precision() > MAX_DIGITS || Math.abs((long) number.scale()) > MAX_DIGITS;
    }

    @Override
    public int compareNumbers(Number first, Number second) throws TemplateException {
        return BIGDECIMAL_ENGINE.compareNumbers(first, second);
    }

    @Override
    public Number add(Number first, Number second) throws TemplateException {
        return bounded(BIGDECIMAL_ENGINE.add(first, second));
    }

    @Override
    public Number subtract(Number first, Number second) throws TemplateException {
        return bounded(BIGDECIMAL_ENGINE.subtract(first, second));
    }

    @Override
    public Number multiply(Number first, Number second) throws TemplateException {
        return bounded(BIGDECIMAL_ENGINE.multiply(first, second));
    }

    @Override
    public Number divide(Number first, Number second) throws TemplateException {
        Number quotient = bounded(BIGDECIMAL_ENGINE.divide(first, second));
        return quotient instanceof BigDecimal decimal ? decimal.stripTrailingZeros() : quotient;
    }

    @Override
    public Number modulus(Number first, Number second) throws TemplateException {
        return bounded(BIGDECIMAL_ENGINE.modulus(first, second));
    }

    @Override
    public Number toNumber(String text) {
        if (text.length() > MAX_DIGITS) {
            throw new NumberFormatException("too long for a number");
        }
        Number number = BIGDECIMAL_ENGINE.toNumber(text);
        if (number instanceof BigDecimal decimal && isHuge(decimal)) {
            throw new NumberFormatException("too large an exponent");
        }
        return number;
    }

    /** The whole number of a model, limited to {@value #MAX_INT} and its negative. */
    static int integer(@Nullable TemplateModel model) throws TemplateModelException {
        if (model instanceof TemplateNumberModel number) {
            return (int)
                    Math.max(-MAX_INT, Math.min(MAX_INT, number.getAsNumber().doubleValue()));
        }
        throw new RenderException("A number is needed here.");
    }

    private static Number bounded(Number result) throws TemplateException {
        if (result instanceof BigDecimal decimal && isHuge(decimal)) {
            throw new RenderException("A number of more than " + MAX_DIGITS + " digits came out of a calculation.");
        }
        return result;
    }
}
