package dev.postern.mapping.script.rhino;

import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.Symbol;
import org.mozilla.javascript.Undefined;

/** The names of the kinds of values, for messages. */
final class ValueKindNames {

    private ValueKindNames() {}

    static String of(@Nullable Object value) {
        if (value == null) {
            return "null";
        }
        if (Undefined.isUndefined(value)) {
            return "undefined";
        }
        if (value instanceof CharSequence) {
            return "a string";
        }
        if (value instanceof Number) {
            return "a number";
        }
        if (value instanceof Boolean) {
            return "a boolean";
        }
        if (value instanceof Callable) {
            return "a function";
        }
        if (value instanceof Symbol) {
            return "a symbol";
        }
        return value instanceof Scriptable object ? named(object.getClassName()) : "something else";
    }

    private static String named(String name) {
        return switch (name) {
            case "Array" -> "an array";
            case "Object" -> "an object";
            case "Error" -> "an Error";
            default -> "a " + name;
        };
    }
}
