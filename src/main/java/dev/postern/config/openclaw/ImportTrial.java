package dev.postern.config.openclaw;

import dev.postern.config.ConfigurationLoader;
import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Items;
import dev.postern.config.ConfigurationProblem;
import dev.postern.config.ConfigurationResult;
import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.config.ConfigurationResult.Rejected;
import dev.postern.config.ConfigurationWarning;
import dev.postern.config.HomeDraft;
import dev.postern.config.ProcessEnvironment;
import dev.postern.config.ValueOrigin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A trial of translated settings. It writes them into a home of its own, loads them as a start does, and removes what Postern
 * does not accept, until it accepts all the rest.
 */
final class ImportTrial {

    private static final List<String> HEAD = List.of(
            "# Written by \"java -jar postern.war import\" from OpenClaw's configuration. Every setting there is, with its default",
            "# and what it does, is in the sample webapp-config/postern.yaml. After a change: java -jar postern.war check.");

    private static final Pattern MAPPING = Pattern.compile("hooks\\.mappings\\[\\d+]");

    /** Warnings about the trial's own home, and about files that were not there before. */
    private static final Set<String> OF_THE_TRIAL = Set.of("home", "permissions");

    private final OpenClawImport imported;
    private final ProcessEnvironment environment;
    private final MappingCheck mappingCheck;
    private Fields settings;

    ImportTrial(OpenClawImport imported, ProcessEnvironment environment, MappingCheck mappingCheck) {
        this.imported = imported;
        this.environment = environment;
        this.mappingCheck = mappingCheck;
        this.settings = imported.settings();
    }

    /**
     * Removes what Postern does not accept, with a note on each.
     *
     * @param draft the home on trial, with secrets and scripts
     * @return the problems that have nothing to do with the imported settings; empty if all the rest is accepted
     */
    List<String> run(HomeDraft draft) throws IOException {
        boolean checked = false;
        while (true) {
            ConfigurationResult result = load(draft);
            if (result instanceof Rejected rejected) {
                if (!removeAll(rejected.problems(), draft)) {
                    return rejected.problems().stream()
                            .map(ConfigurationProblem::toString)
                            .toList();
                }
            } else if (!checked
                    && ((Configured) result).settings().hooks().mappings().size() > 0) {
                checked = true;
                checkMappings((Configured) result, draft);
            } else {
                result.warnings().forEach(warning -> note(warning, draft));
                return List.of();
            }
        }
    }

    /** The file of the accepted settings. */
    private String text() {
        return SettingsWriter.text(settings, HEAD);
    }

    private ConfigurationResult load(HomeDraft draft) throws IOException {
        draft.writeMain(text());
        Map<String, String> variables = new LinkedHashMap<>();
        for (String name : imported.variables()) {
            String value = environment.variables().getOrDefault(name, "");
            variables.put(name, value.isBlank() ? UUID.randomUUID().toString() : value);
        }
        return new ConfigurationLoader(environment.forTrial(draft.directory(), variables))
                .load(ConfigurationLoader.Mode.CHECK);
    }

    /** Removes what the problems are about; false if that changes nothing. A list loses its last places first. */
    private boolean removeAll(List<ConfigurationProblem> problems, HomeDraft draft) {
        List<ConfigurationProblem> own = problems.stream()
                .filter(problem -> problem.origin().isIn(draft.main()))
                .sorted(Comparator.comparing((ConfigurationProblem problem) ->
                                problem.origin().line())
                        .reversed())
                .toList();
        if (own.size() < problems.size()) {
            return false;
        }
        Fields before = settings;
        Set<SettingPath> done = new HashSet<>();
        for (ConfigurationProblem problem : own) {
            SettingPath path = SettingPath.of(before, problem.setting());
            if (done.stream().noneMatch(path::isIn)) {
                Optional<SettingRemoval> removal = SettingRemoval.of(settings, path);
                removal.ifPresent(found -> {
                    settings = found.settings();
                    done.add(found.removed());
                    imported.notes()
                            .notTaken(
                                    path.origin(before),
                                    named(before, problem.setting()),
                                    "it " + cleaned(problem.wrong(), draft)
                                            + (found.outcome().isEmpty() ? "" : " (" + found.outcome() + ")"),
                                    problem.instead());
                });
            }
        }
        return !settings.equals(before);
    }

    private void checkMappings(Configured configured, HomeDraft draft) {
        List<MappingCheck.Finding> findings =
                new ArrayList<>(mappingCheck.check(configured.settings().hooks()));
        SettingPath mappings = new SettingPath(List.of("hooks", "mappings"));
        Fields before = settings;
        int own = mappings.in(before) instanceof Items items ? items.nodes().size() : 0;
        Set<Integer> removed = new HashSet<>();
        findings.sort(Comparator.comparing(MappingCheck.Finding::place).reversed());
        for (MappingCheck.Finding finding : findings) {
            if (finding.place() >= own) {
                continue;
            }
            SettingPath mapping = mappings.child(Integer.toString(finding.place()));
            ValueOrigin origin = mapping.origin(before);
            String name = named(before, "hooks.mappings[" + finding.place() + "]");
            String sentence = cleaned(finding.sentence(), draft).replaceFirst("^hooks\\.mappings\\[\\d+]", name);
            if (!finding.problem()) {
                imported.notes().differs(origin, name, sentence);
            } else {
                imported.notes().notTaken(origin, name, sentence + " (" + SettingRemoval.LEFT_OUT + ")");
                if (removed.add(finding.place()) && mapping.in(settings) != null) {
                    settings = MappingOverlap.removed(settings, finding.place());
                }
            }
        }
    }

    private void note(ConfigurationWarning warning, HomeDraft draft) {
        if (!OF_THE_TRIAL.contains(warning.setting()) && warning.origin().isIn(draft.main())) {
            imported.notes()
                    .differs(
                            SettingPath.of(settings, warning.setting()).origin(settings),
                            named(settings, warning.setting()),
                            "it " + cleaned(warning.text(), draft));
        }
    }

    /** {@code setting} with a mapping's place in the file that is imported, where more mappings may be. */
    private String named(Fields tree, String setting) {
        Matcher mapping = MAPPING.matcher(setting);
        if (!mapping.lookingAt()) {
            return setting;
        }
        int place = imported.mappings()
                .indexOf(SettingPath.of(tree, mapping.group()).origin(tree));
        return place < 0 ? setting : "hooks.mappings[" + place + "]" + setting.substring(mapping.end());
    }

    /** {@code sentence} without places in the draft, which nobody will find. */
    private static String cleaned(String sentence, HomeDraft draft) {
        return sentence.replaceAll(" [\\[(]" + Pattern.quote(draft.main().toString()) + ":\\d+:\\d+[\\])]", "");
    }

    /** The environment variables that the settings that are left refer to, and that this process has not. */
    List<String> missingVariables() {
        String text = text();
        return imported.variables().stream()
                .filter(name -> text.contains("${env:" + name + "}"))
                .filter(name -> environment.variables().getOrDefault(name, "").isBlank())
                .sorted()
                .toList();
    }

    /** The files of the settings that are left, by path below the home. */
    Map<Path, String> files() {
        String text = text();
        Map<Path, String> used = new LinkedHashMap<>(imported.files());
        used.keySet().removeIf(file -> file.startsWith("secrets") && !text.contains(file.getFileName() + "}"));
        return used;
    }
}
