package dev.postern.mapping.script;

import org.mozilla.javascript.CompilerEnvirons;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Node;
import org.mozilla.javascript.Parser;
import org.mozilla.javascript.ast.AstNode;
import org.mozilla.javascript.ast.AstRoot;
import org.mozilla.javascript.ast.ExpressionStatement;

/** A converter that makes a module of a script: the transform returns the value of the last expression. */
final class ScriptModuleConverter {

    private ScriptModuleConverter() {}

    static String module(String script) {
        return """
                module.exports = function (context) {
                  var payload = context.payload, headers = context.headers;
                  var result = (function () { %s
                  }).call(this);
                  return typeof result === 'object' || typeof result === 'undefined' ? result : {message: String(result)};
                };"""
                .formatted(returning(script));
    }

    private static String returning(String script) {
        CompilerEnvirons settings = CompilerEnvirons.ideEnvirons();
        settings.setLanguageVersion(Context.VERSION_ECMASCRIPT);
        AstRoot root = new Parser(settings, settings.getErrorReporter()).parse(script, "attack.js", 1);
        int start = 0;
        int end = 0;
        AstNode last = null;
        for (Node statement : root) {
            start = end;
            last = (AstNode) statement;
            end = last.getAbsolutePosition() + last.getLength();
        }
        if (!(last instanceof ExpressionStatement)) {
            return script;
        }
        while (start > 0 && " ;\n".indexOf(script.charAt(start)) >= 0) {
            start++;
        }
        return script.substring(0, start) + " return " + script.substring(start);
    }
}
