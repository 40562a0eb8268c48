package dev.postern.mapping.script.rhino;

import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.TimeZone;
import java.util.function.Function;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.NativeObject;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.SerializableCallable;
import org.mozilla.javascript.Undefined;

/**
 * A check of the options that a script hands to methods which depend on a language. Rhino ignores them all, so that a text
 * or an order would be another than the script asks for.
 */
final class LocaleOptionsCheck {

    private static final String TIME_ZONE = "timeZone";
    private static final Set<String> ZONES = Set.copyOf(ZoneId.getAvailableZoneIds());
    private static final Scriptable NONE = new NativeObject();

    private LocaleOptionsCheck() {}

    /**
     * Replaces the methods of {@code scope}. Those of dates take the option {@code timeZone}. All throw a TypeError for any
     * other option.
     */
    static void define(Scriptable scope) {
        for (String name : List.of("toLocaleString", "toLocaleDateString", "toLocaleTimeString")) {
            replace(scope, "Date", name, 0, own -> (context, within, self, args) -> {
                Scriptable options = options(name, args, 1);
                refuseOthers(name, options, TIME_ZONE);
                Object zone = ScriptableObject.getProperty(options, TIME_ZONE);
                return isAbsent(zone)
                        ? own.call(context, within, self, args)
                        : inZone(ScriptRuntime.toString(zone), own, context, within, self, args);
            });
        }
        replace(scope, "String", "localeCompare", 1, own -> (context, within, self, args) -> {
            refuseOthers("localeCompare", options("localeCompare", args, 2), "");
            return own.call(context, within, self, args);
        });
    }

    private static void replace(
            Scriptable scope, String type, String name, int length, Function<Callable, SerializableCallable> checked) {
        if (ScriptableObject.getClassPrototype(scope, type) instanceof ScriptableObject prototype
                && prototype.get(name, prototype) instanceof Callable own) {
            prototype.defineProperty(
                    name, new LambdaFunction(scope, name, length, checked.apply(own)), ScriptableObject.DONTENUM);
        }
    }

    private static boolean isAbsent(Object value) {
        return value == Scriptable.NOT_FOUND || Undefined.isUndefined(value);
    }

    /** The options at {@code index} of {@code args}; an object without any if there are none. */
    private static Scriptable options(String method, Object[] args, int index) {
        if (args.length <= index || Undefined.isUndefined(args[index])) {
            return NONE;
        }
        if (args[index] instanceof Scriptable options) {
            return options;
        }
        throw ScriptRuntime.constructError("TypeError", "the options of " + method + " are no object");
    }

    private static void refuseOthers(String method, Scriptable options, String allowed) {
        for (Object id : options.getIds()) {
            boolean isUnset = id instanceof String name && isAbsent(ScriptableObject.getProperty(options, name));
            if (!allowed.equals(id) && !isUnset) {
                String taken = allowed.isEmpty() ? "no options" : "no option but " + allowed;
                throw ScriptRuntime.constructError("TypeError", method + " takes " + taken + ": there is no Intl here");
            }
        }
    }

    /** Calls {@code own} as if a script were in {@code zone}. */
    private static Object inZone(
            String zone, Callable own, Context context, Scriptable scope, Scriptable self, Object[] args) {
        if (!ZONES.contains(zone)) {
            throw ScriptRuntime.constructError("RangeError", "the timeZone is none that is known");
        }
        TimeZone before = context.getTimeZone();
        context.setTimeZone(TimeZone.getTimeZone(zone));
        try {
            return own.call(context, scope, self, args);
        } finally {
            context.setTimeZone(before);
        }
    }
}
