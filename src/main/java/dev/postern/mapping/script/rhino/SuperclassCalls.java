package dev.postern.mapping.script.rhino;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.BoundFunction;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.JSFunction;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/**
 * The functions for {@code super(…)} in classes that were translated to ES5. There a class calls its superclass as a
 * function and goes on with the result. The language's own constructors, such as {@code Error} and {@code Map}, do not
 * allow that: they throw, or return an object that is no instance of the class. The translation calls these two functions
 * instead.
 */
final class SuperclassCalls {

    private SuperclassCalls() {}

    /** Defines both functions. They take the superclass, {@code this}, and then the arguments, one by one or in a list. */
    static void define(ScriptableObject scope) {
        define(scope, "__super", args -> Arrays.copyOfRange(args, 2, args.length));
        define(scope, "__superOf", args -> Context.getCurrentContext()
                .getElements(ScriptRuntime.toObject(scope, args[args.length - 1])));
    }

    private static void define(
            ScriptableObject scope, String name, java.util.function.Function<Object[], Object[]> handedOver) {
        LambdaFunction function = new LambdaFunction(scope, name, 2, (context, within, self, args) -> {
            if (args.length > 1 && args[0] instanceof Function parent && args[1] instanceof Scriptable made) {
                return constructed(context, within, parent, made, handedOver.apply(args));
            }
            throw ScriptRuntime.constructError("TypeError", "a class extends what is no constructor");
        });
        scope.defineProperty(name, function, ScriptableObject.DONTENUM);
    }

    private static @Nullable Object constructed(
            Context context, Scriptable scope, Function parent, Scriptable made, Object[] args) {
        if (parent instanceof JSFunction || parent instanceof BoundFunction) {
            return parent.call(context, scope, made, args);
        }
        Scriptable own = parent.construct(context, scope, args);
        own.setPrototype(made.getPrototype());
        return own;
    }
}
