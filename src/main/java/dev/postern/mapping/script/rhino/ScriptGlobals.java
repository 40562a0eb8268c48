package dev.postern.mapping.script.rhino;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.NativeJSON;
import org.mozilla.javascript.NativeObject;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.TopLevel;
import org.mozilla.javascript.Undefined;

/**
 * The globals that a script sees: the language, made again for each call, because nothing shared can be protected from
 * changes. Rhino's own extensions are removed. So are objects that do their work inside the JDK, where no meter checks: big
 * integers and binary data. {@code Proxy} and {@code Reflect}, which stand between a script and its objects, are removed
 * for the same reason.
 */
final class ScriptGlobals {

    private static final List<String> REMOVED = List.of(
            "Continuation",
            "Script",
            "With",
            "Call",
            "uneval",
            "BigInt",
            "Proxy",
            "Reflect",
            "ArrayBuffer",
            "SharedArrayBuffer",
            "Atomics",
            "DataView",
            "Int8Array",
            "Uint8Array",
            "Uint8ClampedArray",
            "Int16Array",
            "Uint16Array",
            "Int32Array",
            "Uint32Array",
            "Float32Array",
            "Float64Array",
            "BigInt64Array",
            "BigUint64Array");

    private static final List<String> CONSOLE = List.of("debug", "log", "info", "warn", "error");
    private static final int HIDDEN = ScriptableObject.DONTENUM;

    /** The characters after which a line on the console is complete: more than anybody reads of it. */
    private static final int LONGEST_LINE = 10_000;

    private ScriptGlobals() {}

    static ScriptableObject fresh(Context context, Consumer<String> console) {
        TopLevel scope = new ReducedTopLevel();
        context.initSafeStandardObjects(scope, false);
        if (scope.get("Symbol", scope) instanceof ScriptableObject symbol) {
            SymbolRegistry.complete(symbol, scope);
        }
        scope.defineProperty("console", console(scope, console), HIDDEN);
        SuperclassCalls.define(scope);
        IterableCheck.define(scope);
        NumberFormatting.define(scope);
        LocaleOptionsCheck.define(scope);
        return scope;
    }

    /**
     * A top-level scope without the removed globals, which makes rarely used built-ins only on demand. Rhino would make
     * each built-in at once, to have its constructor at hand. That would take a third of a script call.
     */
    private static final class ReducedTopLevel extends TopLevel {

        private static final long serialVersionUID = 1L;
        private static final Set<String> RARE = Set.of("Promise", "RegExp");

        private boolean caching;

        @Override
        public void cacheBuiltins(Scriptable scope, boolean sealed) {
            REMOVED.forEach(this::delete);
            caching = true;
            super.cacheBuiltins(scope, sealed);
            caching = false;
        }

        @Override
        public Object get(String name, Scriptable start) {
            return caching && RARE.contains(name) ? NOT_FOUND : super.get(name, start);
        }
    }

    private static Scriptable console(Scriptable scope, Consumer<String> lines) {
        NativeObject console = new NativeObject();
        ScriptRuntime.setBuiltinProtoAndParent(console, scope, TopLevel.Builtins.Object);
        for (String level : CONSOLE) {
            console.put(level, console, new LambdaFunction(scope, level, 0, (context, within, self, args) -> {
                lines.accept(line(context, within, args));
                return Undefined.instance;
            }));
        }
        return console;
    }

    private static String line(Context context, Scriptable scope, Object[] args) {
        StringBuilder line = new StringBuilder();
        for (Object arg : args) {
            if (line.length() >= LONGEST_LINE) {
                break; // several names for one long text would not fit into the server's memory
            }
            Object text = arg instanceof ScriptableObject object
                            && object.getClassName().matches("Object|Array")
                    ? NativeJSON.stringify(context, scope, object, null, null)
                    : ScriptRuntime.toString(arg);
            String added = String.valueOf(text);
            line.append(line.length() == 0 ? "" : " ").append(added, 0, Math.min(added.length(), LONGEST_LINE));
        }
        return line.toString();
    }
}
