package dev.postern.mapping.script.rhino;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.TopLevel;
import org.mozilla.javascript.Undefined;

/**
 * The function {@code Number.prototype.toLocaleString} for scripts. It writes a number as in English, {@code 1,234.5}. Rhino has
 * no {@code Intl}, and takes the locale for a radix.
 */
final class NumberFormatting {

    private static final String NAME = "toLocaleString";
    private static final String ENGLISH = "en";

    private NumberFormatting() {}

    /** Defines the function in {@code scope}. It throws a TypeError for another language, and for options. */
    static void define(TopLevel scope) {
        if (TopLevel.getBuiltinPrototype(scope, TopLevel.Builtins.Number) instanceof ScriptableObject number) {
            number.defineProperty(
                    NAME, new LambdaFunction(scope, NAME, 0, NumberFormatting::format), ScriptableObject.DONTENUM);
        }
    }

    private static Object format(Context context, Scriptable scope, Scriptable self, Object[] args) {
        boolean isEnglish = args.length == 0
                || Undefined.isUndefined(args[0])
                || ScriptRuntime.toString(args[0]).startsWith(ENGLISH);
        if (!isEnglish || (args.length > 1 && !Undefined.isUndefined(args[1]))) {
            throw ScriptRuntime.constructError(
                    "TypeError", "toLocaleString writes numbers as in English, without options: there is no Intl here");
        }
        DecimalFormat format = new DecimalFormat("#,##0.###", DecimalFormatSymbols.getInstance(Locale.ROOT));
        format.setRoundingMode(RoundingMode.HALF_UP);
        double number = ScriptRuntime.toNumber(self);
        // The digits that a script would print, not those of the binary fraction.
        return Double.isFinite(number) ? format.format(BigDecimal.valueOf(number)) : format.format(number);
    }
}
