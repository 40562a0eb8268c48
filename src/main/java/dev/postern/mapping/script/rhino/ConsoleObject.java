package dev.postern.mapping.script.rhino;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.NativeJSON;
import org.mozilla.javascript.NativeObject;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Symbol;
import org.mozilla.javascript.TopLevel;
import org.mozilla.javascript.Undefined;

/** The global {@code console} of one script call. None of its functions throws, whatever a script prints. */
final class ConsoleObject {

    private static final List<String> PRINTING =
            List.of("debug", "log", "info", "warn", "error", "trace", "group", "groupCollapsed");

    /** The functions that print their first argument; the second says how. */
    private static final List<String> PRINTING_FIRST = List.of("dir", "table");

    /** The functions without effect: nothing is indented, and the clock stands still. */
    private static final List<String> SILENT = List.of("groupEnd", "time", "timeLog", "timeEnd");

    /** The characters after which a line is complete: more than anybody reads of it. */
    private static final int LONGEST_LINE = 10_000;

    private final Scriptable scope;
    private final Consumer<String> lines;
    private final NativeObject console = new NativeObject();
    private final Map<String, Integer> counts = new HashMap<>();

    private ConsoleObject(Scriptable scope, Consumer<String> lines) {
        this.scope = scope;
        this.lines = lines;
    }

    /** Makes the console of {@code scope}, which writes to {@code lines}. */
    static Scriptable make(Scriptable scope, Consumer<String> lines) {
        ConsoleObject made = new ConsoleObject(scope, lines);
        ScriptRuntime.setBuiltinProtoAndParent(made.console, scope, TopLevel.Builtins.Object);
        PRINTING.forEach(name -> made.define(name, made::print));
        PRINTING_FIRST.forEach(name -> made.define(
                name, (context, args) -> made.print(context, Arrays.copyOf(args, Math.min(args.length, 1)))));
        SILENT.forEach(name -> made.define(name, (context, args) -> {}));
        made.define("assert", made::printUnlessTrue);
        made.define("count", made::count);
        made.define("countReset", (context, args) -> made.counts.remove(label(context, scope, args)));
        return made.console;
    }

    private void define(String name, BiConsumer<Context, Object[]> function) {
        console.put(name, console, new LambdaFunction(scope, name, 0, (context, within, self, args) -> {
            function.accept(context, args);
            return Undefined.instance;
        }));
    }

    private void print(Context context, Object[] args) {
        lines.accept(line(context, scope, args));
    }

    private void printUnlessTrue(Context context, Object[] args) {
        if (args.length == 0 || !ScriptRuntime.toBoolean(args[0])) {
            Object[] words = args.length == 0 ? args : Arrays.copyOfRange(args, 1, args.length);
            lines.accept(("Assertion failed " + line(context, scope, words)).strip());
        }
    }

    private void count(Context context, Object[] args) {
        String label = label(context, scope, args);
        lines.accept(label + ": " + counts.merge(label, 1, Integer::sum));
    }

    private static String label(Context context, Scriptable scope, Object[] args) {
        return args.length == 0 || Undefined.isUndefined(args[0])
                ? "default"
                : line(context, scope, new Object[] {args[0]});
    }

    private static String line(Context context, Scriptable scope, Object[] args) {
        StringBuilder line = new StringBuilder();
        for (Object arg : args) {
            if (line.length() >= LONGEST_LINE) {
                break; // several names for one long text would not fit into the server's memory
            }
            String added = text(context, scope, arg);
            line.append(line.length() == 0 ? "" : " ").append(added, 0, Math.min(added.length(), LONGEST_LINE));
        }
        return line.toString();
    }

    private static String text(Context context, Scriptable scope, Object value) {
        if (value instanceof Symbol symbol) {
            return "Symbol(" + symbol.getName() + ")";
        }
        try {
            return String.valueOf(
                    value instanceof ScriptableObject object
                                    && object.getClassName().matches("Object|Array")
                            ? NativeJSON.stringify(context, scope, object, null, null)
                            : ScriptRuntime.toString(value));
        } catch (RhinoException e) {
            // It holds itself, or its own methods fail.
            return "[" + ValueKindNames.of(value) + " that can't be shown]";
        }
    }
}
