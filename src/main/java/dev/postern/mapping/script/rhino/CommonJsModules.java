package dev.postern.mapping.script.rhino;

import dev.postern.mapping.script.ScriptEngine;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.BaseFunction;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.NativeObject;
import org.mozilla.javascript.Script;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.TopLevel;

/** The CommonJS modules of one script call, each loaded once. A module finds only the files of its program. */
final class CommonJsModules {

    private final ScriptEngine.Program program;
    private final Context context;
    private final Scriptable scope;
    private final Map<String, Scriptable> loaded = new HashMap<>();

    CommonJsModules(ScriptEngine.Program program, Context context, Scriptable scope) {
        this.program = program;
        this.context = context;
        this.scope = scope;
    }

    /** The function that the program's entry exports; null if it exports none of that name. */
    @Nullable
    Function function(@Nullable String export) {
        Object exports = exports(program.entry());
        if (export != null) {
            return member(exports, export);
        }
        Function found = member(exports, "default");
        found = found == null ? member(exports, "transform") : found;
        return found == null && exports instanceof Function function ? function : found;
    }

    private static @Nullable Function member(Object exports, String name) {
        return exports instanceof Scriptable object
                        && ScriptableObject.getProperty(object, name) instanceof Function function
                ? function
                : null;
    }

    private Object exports(String file) {
        Scriptable module = loaded.get(file);
        if (module == null) {
            module = plain();
            Scriptable exports = plain();
            module.put("exports", module, exports);
            loaded.put(file, module);
            ScriptEngine.ProgramFile programFile = program.units().get(file);
            if (programFile == null) {
                throw new IllegalStateException("the program has no unit for [" + file + "]");
            }
            Callable body = (Callable) ((Script) programFile.script()).exec(context, scope, scope);
            body.call(context, scope, exports, new Object[] {exports, require(programFile), module});
        }
        return ScriptableObject.getProperty(module, "exports");
    }

    private BaseFunction require(ScriptEngine.ProgramFile programFile) {
        return new LambdaFunction(scope, "require", 1, (running, within, self, args) -> {
            String specifier = args.length == 0 ? "" : ScriptRuntime.toString(args[0]);
            String file = programFile.imports().get(specifier);
            if (file == null) {
                throw ScriptRuntime.constructError("Error", "only what is imported by a relative name is to be had");
            }
            return exports(file);
        });
    }

    private NativeObject plain() {
        NativeObject object = new NativeObject();
        ScriptRuntime.setBuiltinProtoAndParent(object, scope, TopLevel.Builtins.Object);
        return object;
    }
}
