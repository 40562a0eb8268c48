package dev.postern.mapping.script.rhino;

import org.mozilla.javascript.CompilerEnvirons;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Parser;
import org.mozilla.javascript.RegExpProxy;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.ast.RegExpLiteral;

/** A search for the regular expression that Rhino refused in a module. Rhino compiles them last, without their lines. */
final class RefusedRegExp {

    private RefusedRegExp() {}

    /** The line, from 1, of the first literal in {@code code} that Rhino refuses; 0 if there is none. */
    static int line(Context context, String code, String file) {
        CompilerEnvirons settings = new CompilerEnvirons();
        settings.initFromContext(context);
        RegExpProxy compiler = ScriptRuntime.checkRegExpProxy(context);
        int[] line = {0};
        new Parser(settings).parse(code, file, 1).visit(node -> {
            if (line[0] == 0 && node instanceof RegExpLiteral literal && isRefused(compiler, context, literal)) {
                line[0] = literal.getLineno();
            }
            return line[0] == 0;
        });
        return line[0];
    }

    private static boolean isRefused(RegExpProxy compiler, Context context, RegExpLiteral literal) {
        try {
            compiler.compileRegExp(context, literal.getValue(), literal.getFlags());
            return false;
        } catch (RhinoException e) {
            return true;
        }
    }
}
