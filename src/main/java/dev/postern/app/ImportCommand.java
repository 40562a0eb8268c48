package dev.postern.app;

import dev.postern.config.HomeDirectory;
import dev.postern.config.HookSettings;
import dev.postern.config.MappingSettings;
import dev.postern.config.ProcessEnvironment;
import dev.postern.config.ValueOrigin;
import dev.postern.config.openclaw.MappingCheck;
import dev.postern.config.openclaw.OpenClawImporter;
import dev.postern.config.openclaw.OpenClawImporter.Imported;
import dev.postern.config.openclaw.OpenClawImporter.NotImported;
import dev.postern.mapping.HookRegistry;
import dev.postern.mapping.HookRegistry.Compilation;
import dev.postern.mapping.script.ScriptRegistry;
import dev.postern.model.HomeSetting;
import dev.postern.model.ShellWord;
import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The command {@code import}, which sets up a home with the settings of OpenClaw. */
public final class ImportCommand {

    private static final String UNCHANGED = "Nothing was changed.";

    private ImportCommand() {}

    /**
     * Imports the file {@code file} of {@code options} into this process's home.
     *
     * @param out gets what differs or is not taken, a line each, and what was written
     * @param err gets the reasons why nothing was written
     * @return 0 if the home has the settings, else 1, and then nothing was changed
     */
    public static int run(PrintStream out, PrintStream err, Map<String, String> options) {
        return run(ProcessEnvironment.ofProcess(name -> null), out, err, options);
    }

    static int run(ProcessEnvironment environment, PrintStream out, PrintStream err, Map<String, String> options) {
        try {
            HomeSetting name = HomeSetting.ofProcess(environment.systemProperties()::get, environment.variables()::get);
            HomeDirectory home =
                    new HomeDirectory(name.directory(environment.userHome()), new ValueOrigin(name.origin()));
            Path file = Path.of(options.getOrDefault("file", ""));
            OpenClawImporter.Result result =
                    new OpenClawImporter(environment, new CompiledMappingCheck()).run(file, home);
            return result instanceof Imported imported
                    ? tell(imported, home.directory(), out)
                    : refuse((NotImported) result, err);
        } catch (InvalidPathException e) {
            err.println("postern: [" + e.getInput() + "] " + HomeSetting.wrong(e) + ". " + UNCHANGED);
        } catch (IOException e) {
            err.println("postern: the home can't be written: " + OwnerOnlyFiles.reason(e) + ". " + UNCHANGED);
        }
        return 1;
    }

    private static int refuse(NotImported none, PrintStream err) {
        none.problems().forEach(problem -> err.println("problem: " + problem));
        err.println(UNCHANGED);
        return 1;
    }

    private static int tell(Imported imported, Path home, PrintStream out) {
        imported.notes().forEach(out::println);
        imported.written().forEach(file -> out.println("Wrote " + file));
        imported.variables()
                .forEach(name ->
                        out.println("Set the environment variable " + name + " for the process that runs Postern."));
        out.println(
                imported.notes().isEmpty()
                        ? "Every setting was taken."
                        : "Different, or not taken: " + imported.notes().size() + ", listed above.");
        out.println("Next: java -jar postern.war check --home " + ShellWord.of(home));
        return 0;
    }

    /** A check that compiles each mapping by itself. */
    private static final class CompiledMappingCheck implements MappingCheck {

        @Override
        public List<Finding> check(HookSettings hooks) {
            List<Finding> findings = new ArrayList<>();
            List<MappingSettings> mappings = hooks.mappings();
            try (ScriptRegistry scripts =
                    new ScriptRegistry(hooks.transformsRoot(), "postern-import", InstantSource.system())) {
                for (int place = 0; place < mappings.size(); place++) {
                    Compilation compilation =
                            HookRegistry.compile(List.of(mappings.get(place)), hooks.withheldHeaders(), scripts);
                    for (String problem : compilation.problems()) {
                        findings.add(new Finding(place, true, problem));
                    }
                    for (String warning : compilation.warnings()) {
                        findings.add(new Finding(place, false, warning));
                    }
                }
            }
            return findings;
        }
    }
}
