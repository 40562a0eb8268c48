package dev.postern.config.openclaw;

import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Scalar;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A translator of transforms. It takes each module with the modules that it imports from its own directory tree, which is
 * {@code hooks/transforms} both in OpenClaw's configuration directory and in a Postern home.
 */
final class TransformTranslator {

    static final Path DIRECTORY = Path.of("hooks", "transforms");

    private static final String TREE = "hooks/transforms";

    private static final int MAX_BYTES = 1024 * 1024;
    private static final int MAX_FILES = 100;
    private static final List<String> ENDINGS = List.of("", ".ts", ".js", ".mjs", ".cjs", "/index.ts", "/index.js");
    private static final Pattern SCRIPT = Pattern.compile(".+\\.(js|mjs|cjs|ts)");
    private static final Pattern IMPORT =
            Pattern.compile("(?:from|import|require)\\s*\\(?\\s*[\"'](\\.{1,2}/[^\"'\\n]{1,500})[\"']");
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_$][A-Za-z0-9_$]*");

    /** A module that calls another one for one element, as OpenClaw does with {@code forEach}. */
    private static final String ADAPTER =
            """
            // Written by "import". It calls the transform with a payload whose list holds the one element, as OpenClaw does.
            import * as original from "./%s";

            const transform = %s;

            export default function (input) {
              return transform({ ...input, payload: { ...input.payload, [%s]: [input.item] } });
            }
            """;

    private final ImportContext context;
    private final Path root;
    private final Map<Path, String> files = new LinkedHashMap<>();
    private Path directory = Path.of("");

    TransformTranslator(ImportContext context) {
        this.context = context;
        this.root = context.directory().resolve(DIRECTORY);
    }

    /** The contents of the modules, by path below the home. */
    Map<Path, String> files() {
        return files;
    }

    /** Reads {@code hooks.transformsDir}. Postern gets the directory as part of each module's path. */
    void readDirectory(Scalar given) {
        String text = given.text().strip().replace('\\', '/');
        int tree = text.lastIndexOf(TREE);
        String below = tree < 0 ? text : text.substring(tree + TREE.length()).replaceFirst("^/+", "");
        try {
            directory = Path.of(below).normalize();
        } catch (InvalidPathException e) {
            context.notes().notTaken(given.origin(), "hooks.transformsDir", "it is no path");
        }
    }

    /**
     * Translates {@code transform} of a mapping.
     *
     * @param forEach the mapping's {@code forEach}; null for none
     * @return empty if the module can't be taken, which is noted
     */
    Optional<Fields> translate(OpenClawSection transform, @Nullable String forEach) {
        Optional<Scalar> module = transform.text("module");
        Optional<Scalar> export = transform.text("export");
        transform.skipRest(Map.of(), "Postern's transforms have a module and an export");
        if (module.isEmpty() || transform.failed()) {
            return Optional.empty();
        }
        String name = module.get().text().strip();
        Optional<String> fault = take(name);
        if (fault.isEmpty()
                && export.isPresent()
                && !IDENTIFIER.matcher(export.get().text()).matches()) {
            fault = Optional.of("its export is no name of a function");
        }
        if (fault.isPresent()) {
            context.notes()
                    .notTaken(
                            module.get().origin(),
                            transform.path("module"),
                            fault.get(),
                            "put the script into hooks/transforms of Postern's home");
            return Optional.empty();
        }
        SettingsBuilder settings = new SettingsBuilder(transform.origin());
        if (forEach == null) {
            settings.put(
                            "module",
                            SettingsBuilder.text(inTree(name), module.get().origin()))
                    .put("export", export);
        } else {
            String adapter = adapter(
                    module.get().text().strip(), export.map(Scalar::text).orElse(null), forEach);
            settings.put("module", SettingsBuilder.text(adapter, module.get().origin()));
            context.notes()
                    .differs(
                            module.get().origin(),
                            transform.path("module"),
                            "Postern calls " + adapter + ", which gives the script one element at a time");
        }
        context.notes()
                .differs(
                        transform.origin(),
                        transform.path(),
                        "the script has no url, no files, no network and 250 ms; query and now are there");
        return Optional.of(settings.build());
    }

    /** Writes the adapter of {@code export} for {@code forEach}; returns the path of its module, which mappings may share. */
    private String adapter(String module, @Nullable String export, String forEach) {
        String function = export == null ? "original.default ?? original.transform" : "original." + export;
        String file = Path.of(module).getFileName().toString();
        String text = ADAPTER.formatted(file, function, '"' + forEach.replaceAll("([\"\\\\])", "\\\\$1") + '"');
        String name = inTree(module.replaceFirst("\\.[a-z]+$", "") + ".each");
        String free = name + ".js";
        for (int number = 2; !isFreeFor(text, free); number++) {
            free = name + "-" + number + ".js";
        }
        files.put(DIRECTORY.resolve(free), text);
        return free;
    }

    /** Whether {@code module} is the adapter {@code text} already, or no file at all, neither here nor in OpenClaw's directory. */
    private boolean isFreeFor(String text, String module) {
        @Nullable String taken = files.get(DIRECTORY.resolve(module));
        return taken == null ? !Files.exists(root.resolve(module)) : taken.equals(text);
    }

    /** The path of a module of {@code hooks.transformsDir} below {@code hooks/transforms}. */
    private String inTree(String module) {
        return directory.resolve(module).normalize().toString();
    }

    /** Takes {@code module} and what it imports; returns why it can't be taken. */
    private Optional<String> take(String module) {
        if (!SCRIPT.matcher(module).matches()) {
            return Optional.of("it ends in none of .js .mjs .cjs .ts");
        }
        Map<Path, String> found = new LinkedHashMap<>();
        Deque<Path> open = new ArrayDeque<>();
        try {
            open.add(root.resolve(directory).resolve(module).normalize());
            while (!open.isEmpty()) {
                Path file = open.remove();
                if (!Files.isRegularFile(file)) {
                    return Optional.of("there is no file " + file);
                }
                if (!file.toRealPath().startsWith(root.toRealPath())) {
                    return Optional.of("it is outside " + root);
                }
                if (Files.size(file) > MAX_BYTES || found.size() == MAX_FILES) {
                    return Optional.of("it has more than 1 MiB, or imports more than " + MAX_FILES + " files");
                }
                String text = Files.readString(file, StandardCharsets.UTF_8);
                if (found.put(DIRECTORY.resolve(root.relativize(file)), text) == null) {
                    imports(file, text).filter(each -> !open.contains(each)).forEach(open::add);
                }
                open.removeIf(each -> found.containsKey(DIRECTORY.resolve(root.relativize(each))));
            }
        } catch (IOException | InvalidPathException e) {
            return Optional.of("its file can't be read");
        }
        files.putAll(found);
        return Optional.empty();
    }

    /** The files of the same tree that {@code text} imports. What is not found there is left to the check of the script. */
    private Stream<Path> imports(Path file, String text) {
        Matcher imports = IMPORT.matcher(text);
        return imports.results().map(each -> each.group(1)).flatMap(name -> ENDINGS.stream()
                .map(ending -> file.resolveSibling(name + ending).normalize())
                .filter(Files::isRegularFile)
                .filter(each -> each.startsWith(root))
                .limit(1));
    }
}
