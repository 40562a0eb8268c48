package dev.postern.mapping.script.rhino;

import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/**
 * The function by which translated code checks what it is about to iterate over. Rhino's own message for {@code undefined}
 * tells of a symbol that is no string.
 */
final class IterableCheck {

    private static final String NAME = "__iterable";

    private IterableCheck() {}

    /** Defines the function, which returns its argument. It throws a TypeError for {@code undefined} and {@code null}. */
    static void define(ScriptableObject scope) {
        LambdaFunction function = new LambdaFunction(scope, NAME, 1, (context, within, self, args) -> {
            Object value = args.length == 0 ? Undefined.instance : args[0];
            if (value == null || Undefined.isUndefined(value)) {
                throw ScriptRuntime.constructError("TypeError", ValueKindNames.of(value) + " is not iterable");
            }
            return value;
        });
        scope.defineProperty(NAME, function, ScriptableObject.DONTENUM);
    }
}
