package dev.postern.mapping.script.rhino;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.UnaryOperator;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/**
 * The functions {@code atob} and {@code btoa} for scripts. As in browsers, each character of the plain text is one byte.
 * Rhino's strings are bounded, and so is what a call takes; the meter counts the result.
 */
final class Base64Functions {

    private static final char LARGEST_BYTE = 0xFF;

    private Base64Functions() {}

    /** Defines both functions in {@code scope}. They throw an Error for what they can't convert. */
    static void define(ScriptableObject scope) {
        define(scope, "atob", Base64Functions::decode);
        define(scope, "btoa", Base64Functions::encode);
    }

    private static void define(ScriptableObject scope, String name, UnaryOperator<String> conversion) {
        LambdaFunction function = new LambdaFunction(
                scope,
                name,
                1,
                (context, within, self, args) ->
                        conversion.apply(ScriptRuntime.toString(args.length == 0 ? Undefined.instance : args[0])));
        scope.defineProperty(name, function, ScriptableObject.DONTENUM);
    }

    private static String decode(String text) {
        try {
            byte[] bytes = Base64.getDecoder().decode(text.replaceAll("[\\t\\n\\f\\r ]", ""));
            return new String(bytes, StandardCharsets.ISO_8859_1);
        } catch (IllegalArgumentException e) {
            throw ScriptRuntime.constructError("Error", "atob takes Base64");
        }
    }

    private static String encode(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > LARGEST_BYTE) {
                throw ScriptRuntime.constructError("Error", "btoa takes characters up to U+00FF");
            }
        }
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
