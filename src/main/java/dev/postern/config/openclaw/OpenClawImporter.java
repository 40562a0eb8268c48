package dev.postern.config.openclaw;

import dev.postern.config.ConfigurationProblems;
import dev.postern.config.HomeDirectory;
import dev.postern.config.HomeDraft;
import dev.postern.config.ProcessEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** An importer that turns OpenClaw's configuration into that of a Postern home. */
public final class OpenClawImporter {

    private final ProcessEnvironment environment;
    private final MappingCheck mappingCheck;

    /** @param environment says which environment variables are set, and what {@code ~} stands for */
    public OpenClawImporter(ProcessEnvironment environment, MappingCheck mappingCheck) {
        this.environment = environment;
        this.mappingCheck = mappingCheck;
    }

    /** The result of an import. */
    public sealed interface Result {}

    /**
     * A result with a home that {@code check} accepts.
     *
     * @param written the files that were written, the configuration file last
     * @param notes what differs or is not taken, in the order of the lines of the file that was imported
     * @param variables the environment variables that Postern needs and this process has not
     */
    public record Imported(List<Path> written, List<ImportNote> notes, List<String> variables) implements Result {

        public Imported {
            written = List.copyOf(written);
            notes = List.copyOf(notes);
            variables = List.copyOf(variables);
        }
    }

    /**
     * A result that leaves the home as it was.
     *
     * @param problems a line each, for the operator
     */
    public record NotImported(List<String> problems) implements Result {

        public NotImported {
            problems = List.copyOf(problems);
        }
    }

    /**
     * Imports {@code file} into the home {@code named}, which gets a configuration file, and files for secrets and scripts.
     *
     * @throws IOException if the home can't be written; it has nothing of the import then
     */
    public Result run(Path file, HomeDirectory named) throws IOException {
        ConfigurationProblems problems = new ConfigurationProblems();
        Optional<OpenClawImport> imported =
                named.checkRestore(problems) ? OpenClawImport.of(file, environment, problems) : Optional.empty();
        if (imported.isEmpty()) {
            return new NotImported(
                    problems.problems().stream().map(Object::toString).toList());
        }
        Path home = named.directory();
        Optional<String> obstacle = HomeDraft.obstacle(home, imported.get().files());
        if (obstacle.isPresent()) {
            return new NotImported(List.of(obstacle.get()));
        }
        try (HomeDraft draft = HomeDraft.of(home, imported.get().files())) {
            ImportTrial trial = new ImportTrial(imported.get(), environment, mappingCheck);
            List<String> refused = trial.run(draft);
            if (!refused.isEmpty()) {
                return new NotImported(refused);
            }
            return new Imported(
                    draft.writeHome(trial.files()), imported.get().notes().sorted(), trial.missingVariables());
        }
    }
}
