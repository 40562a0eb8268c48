package dev.postern.mapping.script;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postern.mapping.script.ScriptEngine.Compiled;
import dev.postern.mapping.script.ScriptEngine.Import;
import dev.postern.mapping.script.ScriptEngine.Program;
import dev.postern.mapping.script.ScriptEngine.ProgramFile;
import dev.postern.mapping.script.ScriptEngine.Translated;
import dev.postern.mapping.script.TransformFiles.Stamp;
import dev.postern.mapping.script.TransformFiles.UnusableFileException;
import dev.postern.net.LruMap;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A compiler that makes programs of files. Only the compiling thread uses it. Results are kept by content, so that a file
 * is compiled once even if several modules import it, or an old version comes back.
 */
final class ModuleCompiler {

    private static final int MOST_KEPT = 256;
    private static final int MOST_FILES = 200;
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /**
     * What the TypeScript compiler has made of files without problems, for every configuration of this process: it takes seconds
     * to load.
     */
    private static final Map<Source, Translated> TRANSLATED = Collections.synchronizedMap(new LruMap<>(MOST_KEPT));

    private final ScriptEngine engine;
    private final TransformFiles files;
    private final Map<Source, Made> kept = new LruMap<>(MOST_KEPT);

    private ScriptEngine.@Nullable Translator translator;
    private boolean rehearsed;

    ModuleCompiler(ScriptEngine engine, TransformFiles files) {
        this.engine = engine;
        this.files = files;
    }

    private record Source(String file, String text) {}

    private record Made(Translated translated, Compiled compiled) {}

    /**
     * A program, or the problems that prevent it.
     *
     * @param program null if there are problems
     * @param stamps of each file that was read or looked for
     */
    record BuildResult(@Nullable Program program, List<ScriptProblem> problems, Map<Path, Stamp> stamps) {}

    /** Releases the TypeScript compiler until it is needed again. */
    void releaseTranslator() {
        translator = null;
    }

    BuildResult build(Path module) {
        if (!rehearsed) {
            engine.rehearse();
            rehearsed = true;
        }
        BuildState buildState = new BuildState();
        buildState.stamp(files.path(module));
        try {
            buildState.add(files.realPath(module));
        } catch (UnusableFileException e) {
            buildState.problems.add(new ScriptProblem(files.name(module), 0, 0, String.valueOf(e.getMessage())));
            return buildState.built(files.name(module));
        }
        while (!buildState.waiting.isEmpty()) {
            build(buildState.waiting.remove(), buildState);
        }
        return buildState.built(files.name(buildState.entry()));
    }

    private void build(Path file, BuildState buildState) {
        String name = files.name(file);
        buildState.stamp(file);
        try {
            Made made = made(new Source(name, files.read(file)));
            buildState.problems.addAll(made.translated().problems());
            if (made.compiled().problem() != null) {
                buildState.problems.add(made.compiled().problem());
            }
            Map<String, String> imports = new HashMap<>();
            for (Import wanted : made.translated().imports()) {
                resolve(file, wanted, imports, buildState);
            }
            Object script = made.compiled().script();
            if (script != null) {
                buildState.units.put(
                        name, new ProgramFile(name, script, made.translated().lines(), imports));
            }
        } catch (UnusableFileException e) {
            buildState.problems.add(new ScriptProblem(name, 0, 0, String.valueOf(e.getMessage())));
        }
    }

    private void resolve(Path importer, Import wanted, Map<String, String> imports, BuildState buildState) {
        String problem;
        try {
            Path found = found(files.candidates(importer, wanted.specifier()), buildState);
            if (found != null && buildState.add(found)) {
                imports.put(wanted.specifier(), files.name(found));
                return;
            }
            problem = found == null
                    ? "there is no file for the import [" + wanted.specifier() + "]; create it, or mend the name"
                    : "the module imports more than " + MOST_FILES + " files; import fewer";
        } catch (UnusableFileException e) {
            problem = "the import " + e.getMessage();
        }
        buildState.problems.add(new ScriptProblem(files.name(importer), wanted.line(), wanted.column(), problem));
    }

    /** The first candidate that exists. If one before it appears later, that one takes its place. */
    private @Nullable Path found(List<Path> candidates, BuildState buildState) throws UnusableFileException {
        for (Path candidate : candidates) {
            buildState.stamp(candidate);
            Path found = files.found(candidate);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private Made made(Source source) {
        Made known = kept.get(source);
        if (known == null) {
            Translated translated = source.file().endsWith(".json") ? json(source) : translate(source);
            boolean sound = translated.problems().isEmpty();
            known = new Made(translated, sound ? engine.compile(source.file(), translated) : new Compiled(null, null));
            kept.put(source, known);
        }
        return known;
    }

    private Translated translate(Source source) {
        Translated known = TRANSLATED.get(source);
        if (known == null) {
            known = translateUnknown(source);
            if (known.problems().isEmpty()) {
                TRANSLATED.put(source, known);
            }
        }
        return known;
    }

    private Translated translateUnknown(Source source) {
        if (translator == null) {
            // It has its own class loader, so that it can be released as a whole, and so that the JVM's profile of
            // Rhino comes from the scripts of requests alone.
            translator = new MeteringClassLoader().made(ScriptEngine.Translator.class, "TypeScriptCompiler");
        }
        ScriptMeter meter = ScriptMeter.start(ScriptBudget.TRANSLATION, 0);
        try {
            return Objects.requireNonNull(translator).translate(source.file(), source.text());
        } catch (ScriptTerminated | VirtualMachineError e) {
            // Its state is unknown now, so it is loaded again when it is needed.
            translator = null;
            if (e instanceof ScriptTerminated scriptTerminated
                    && scriptTerminated.reason() == ScriptTerminated.Reason.CLOSING) {
                throw scriptTerminated;
            }
            String sentence = "it is too much, or nested too deeply, for the compiler; split it";
            return failedTranslation(new ScriptProblem(source.file(), 0, 0, sentence));
        } finally {
            meter.stop();
        }
    }

    /** Translates JSON, which is JavaScript except for two characters that used to end a line. */
    private static Translated json(Source source) {
        try {
            String plain = JSON.readTree(source.text()).toString();
            String code = plain.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029");
            return new Translated(
                    "module.exports = JSON.parse(" + JSON.writeValueAsString(code) + ");",
                    SourceLineMap.same(),
                    List.of(),
                    List.of());
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
            int column = e.getLocation() == null ? 0 : e.getLocation().getColumnNr();
            ScriptProblem problem = new ScriptProblem(source.file(), line, column, "it is not JSON; mend it");
            return failedTranslation(problem);
        }
    }

    private static Translated failedTranslation(ScriptProblem problem) {
        return new Translated("", SourceLineMap.same(), List.of(), List.of(problem));
    }

    /** A program while it is built. */
    private static final class BuildState {

        private final Map<String, ProgramFile> units = new HashMap<>();
        private final List<ScriptProblem> problems = new ArrayList<>();
        private final Map<Path, Stamp> stamps = new LinkedHashMap<>();
        private final List<Path> taken = new ArrayList<>();
        private final Deque<Path> waiting = new ArrayDeque<>();

        Path entry() {
            return taken.get(0);
        }

        void stamp(Path file) {
            stamps.put(file, Stamp.of(file));
        }

        /** Adds a file; false if there are too many. */
        boolean add(Path file) {
            if (taken.contains(file)) {
                return true;
            }
            if (taken.size() == MOST_FILES) {
                return false;
            }
            taken.add(file);
            waiting.add(file);
            return true;
        }

        BuildResult built(String entry) {
            Program program = problems.isEmpty() ? new Program(entry, Map.copyOf(units)) : null;
            return new BuildResult(program, List.copyOf(problems), Map.copyOf(stamps));
        }
    }
}
