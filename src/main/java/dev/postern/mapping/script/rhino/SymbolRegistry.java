package dev.postern.mapping.script.rhino;

import java.util.HashMap;
import java.util.Map;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Symbol;
import org.mozilla.javascript.SymbolKey;
import org.mozilla.javascript.Undefined;

/**
 * A registry for {@code Symbol.for} and {@code Symbol.keyFor} of one script call. Rhino's own has one table for all calls,
 * which keeps every name until the server ends.
 */
final class SymbolRegistry {

    private static final SymbolKey ASYNC_ITERATOR = new SymbolKey("Symbol.asyncIterator", Symbol.Kind.BUILT_IN);

    private final Map<String, SymbolKey> named = new HashMap<>();

    private SymbolRegistry() {}

    /** Gives {@code symbol}, a scope's own {@code Symbol}, its own table and the symbol that it lacks. */
    static void complete(ScriptableObject symbol, Scriptable scope) {
        SymbolRegistry symbolRegistry = new SymbolRegistry();
        define(symbol, "asyncIterator", ASYNC_ITERATOR);
        define(symbol, "for", new LambdaFunction(scope, "for", 1, symbolRegistry::of));
        define(symbol, "keyFor", new LambdaFunction(scope, "keyFor", 1, symbolRegistry::nameOf));
    }

    private static void define(ScriptableObject symbol, String name, Object value) {
        symbol.defineProperty(name, value, ScriptableObject.DONTENUM);
    }

    private Object of(Context context, Scriptable scope, Scriptable self, Object[] args) {
        String name = ScriptRuntime.toString(args.length == 0 ? Undefined.instance : args[0]);
        return named.computeIfAbsent(name, each -> new SymbolKey(each, Symbol.Kind.REGISTERED));
    }

    private Object nameOf(Context context, Scriptable scope, Scriptable self, Object[] args) {
        if (args.length == 0 || !(args[0] instanceof Symbol symbol)) {
            throw ScriptRuntime.constructError("TypeError", "Symbol.keyFor takes a symbol");
        }
        return symbol.getKind() == Symbol.Kind.REGISTERED ? symbol.getName() : Undefined.instance;
    }
}
