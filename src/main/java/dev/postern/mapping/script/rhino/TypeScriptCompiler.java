package dev.postern.mapping.script.rhino;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postern.mapping.script.ScriptEngine;
import dev.postern.mapping.script.ScriptProblem;
import dev.postern.mapping.script.SourceLineMap;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.ScriptableObject;

/**
 * The TypeScript compiler, run by Rhino. It turns modern JavaScript and TypeScript into ES5. Types are dropped, not
 * checked.
 */
public final class TypeScriptCompiler implements ScriptEngine.Translator {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final SandboxContextFactory sandbox = new SandboxContextFactory();
    private final ScriptableObject scope;
    private final Function translate;

    /** Loads the compiler. */
    public TypeScriptCompiler() {
        this.scope = sandbox.compiling(true, () -> {
            Context context = Context.getCurrentContext();
            ScriptableObject fresh = context.initSafeStandardObjects();
            context.evaluateString(fresh, BundledScript.read("typescript/typescript.js"), "typescript.js", 1, null);
            return fresh;
        });
        this.translate = sandbox.compiling(true, () -> (Function) Context.getCurrentContext()
                .evaluateString(scope, BundledScript.read("translate.js"), "translate.js", 1, null));
    }

    @Override
    public ScriptEngine.Translated translate(String file, String source) {
        String plain = file.matches(".*\\.[cm]?ts") ? file.replaceFirst("\\.[cm]ts$", ".ts") : file + ".js";
        try {
            String answer = sandbox.compiling(true, () -> translate
                    .call(Context.getCurrentContext(), scope, scope, new Object[] {plain, source})
                    .toString());
            return translated(file, JSON.readTree(answer));
        } catch (RhinoException e) {
            String sentence = "the compiler fails on it, perhaps since it is nested too deeply; write it more simply";
            ScriptProblem problem = new ScriptProblem(file, 0, 0, sentence);
            return new ScriptEngine.Translated("", SourceLineMap.same(), List.of(), List.of(problem));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ScriptEngine.Translated translated(String file, JsonNode answer) {
        SourceLineMap lines = SourceLineMap.of(
                answer.path("mappings").asText(), answer.path("helperLines").asInt());
        List<ScriptProblem> problems = new ArrayList<>();
        for (JsonNode problem : answer.path("problems")) {
            problems.add(new ScriptProblem(
                    file,
                    problem.path("line").asInt(),
                    problem.path("column").asInt(),
                    problem.path("text").asText()));
        }
        List<ScriptEngine.Import> imports = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (JsonNode found : answer.path("imports")) {
            String specifier = found.path("specifier").asText();
            if (seen.add(specifier)) {
                SourceLineMap.Place place = lines.written(found.path("line").asInt());
                imports.add(
                        place == null
                                ? new ScriptEngine.Import(specifier, 1, 1)
                                : new ScriptEngine.Import(specifier, place.line(), place.column()));
            }
        }
        return new ScriptEngine.Translated(answer.path("code").asText(), lines, imports, problems);
    }
}
