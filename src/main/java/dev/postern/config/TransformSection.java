package dev.postern.config;

import dev.postern.config.ConfinedDirectory.Inside;
import dev.postern.config.ConfinedDirectory.LookupResult;
import dev.postern.config.ConfinedDirectory.Outside;
import dev.postern.config.ConfinedDirectory.Unreadable;
import dev.postern.config.ScalarTypes.Text;
import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code transform} of a mapping, and {@code hooks.transformsDir}: the script to run, and the directory of
 * the scripts.
 */
final class TransformSection {

    private TransformSection() {}

    private static final String ROOT = "hooks/transforms";
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_$][A-Za-z0-9_$]*");
    private static final Pattern SCRIPT = Pattern.compile(".+\\.(js|mjs|cjs|ts)");

    static final Setting<String> DIRECTORY = Setting.optional(
            "transformsDir",
            new Text("a directory in " + ROOT),
            "The directory of the scripts, in the home's " + ROOT + "; that one itself when left out.");

    static final Setting<String> MODULE = Setting.needed(
            "module",
            new Text("the path of a script"),
            "The file, in the directory of the scripts: .js .mjs .cjs .ts.");
    static final Setting<String> EXPORT = Setting.optional(
            "export",
            new Text("the name of a function", IDENTIFIER),
            "The function that it exports; default, else transform, when left out.");
    static final Group TRANSFORM = Group.of("transform", "A script that completes the action.", MODULE, EXPORT);

    /** The directory that has to contain every script, without symbolic links; the default one need not exist. */
    static Path directory(SectionReader hooks) {
        Path root = hooks.reading().home().resolve(ROOT);
        Optional<String> given = hooks.given(DIRECTORY);
        LookupResult lookupResult = new ConfinedDirectory(root)
                .find(given.map(text -> expanded(text, hooks)).orElse("."));
        if (lookupResult instanceof Inside inside && Files.isDirectory(inside.real())) {
            return inside.real();
        }
        if (given.isPresent()) {
            hooks.problem(
                    DIRECTORY,
                    "is [" + given.get() + "], which "
                            + (lookupResult instanceof Inside ? "is no directory" : error(lookupResult, root)),
                    "name a directory in " + root + ", or leave the setting out for that one");
        }
        return root;
    }

    private static String expanded(String text, SectionReader hooks) {
        return text.startsWith("~/") ? hooks.reading().userHome() + text.substring(1) : text;
    }

    static MappingSettings.@Nullable Transform read(SectionReader transform, Path directory) {
        Optional<String> export = transform.given(EXPORT);
        Optional<String> module = transform.given(MODULE);
        if (module.isEmpty()) {
            return null;
        }
        LookupResult lookupResult = new ConfinedDirectory(directory).find(module.get());
        String fault;
        if (!isScript(module.get())) {
            fault = "ends in none of .js .mjs .cjs .ts";
        } else if (!(lookupResult instanceof Inside inside)) {
            fault = error(lookupResult, directory);
        } else if (!Files.isRegularFile(inside.real())) {
            fault = "is no file";
        } else if (!isScript(inside.real().toString())) {
            fault = "leads to " + inside.real().getFileName() + ", which ends in none of .js .mjs .cjs .ts";
        } else {
            return new MappingSettings.Transform(inside.real(), export.orElse(null), transform.where(MODULE));
        }
        transform.problem(MODULE, "is [" + module.get() + "], which " + fault, "name a script in " + directory);
        return null;
    }

    private static boolean isScript(String file) {
        return SCRIPT.matcher(file).matches();
    }

    private static String error(LookupResult lookupResult, Path directory) {
        if (lookupResult instanceof Outside) {
            return "leads out of " + directory;
        }
        return lookupResult instanceof Unreadable unreadable
                ? "could not be read (" + unreadable.why() + ")"
                : "does not exist";
    }
}
