package dev.postern.config;

import dev.postern.config.Configuration.Configured;
import dev.postern.config.Configuration.Refused;
import dev.postern.config.MapText.NoPlaceException;
import dev.postern.config.Node.Fields;
import dev.postern.model.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What would come of writing a mailbox into a home. The configuration file is changed as a text, so that comments and
 * order stay; what comes of it is read as a start would read it, and has to say what was wanted and everything else as
 * before, before any of it is written.
 */
public sealed interface MailboxPlan permits MailboxChange, MailboxPlan.Unfit {

    /**
     * With that mailbox the configuration would be refused.
     *
     * @param problems all there are; never empty
     */
    record Unfit(List<Problem> problems) implements MailboxPlan {

        public Unfit {
            problems = List.copyOf(problems);
        }
    }

    /** The directory for secrets, below the home. */
    Path SECRETS = Path.of("secrets");

    /** What the refresh token is called there. */
    String REFRESH_TOKEN_FILE = "mail-refresh-token";

    /** What the secrets of the login are called there. */
    Map<String, String> SECRET_FILES = Map.of(
            "password", "mail-password",
            "oauth.refreshToken", REFRESH_TOKEN_FILE,
            "oauth.clientSecret", "mail-client-secret");

    /**
     * Plans a change of the process's home; nothing is written.
     *
     * @param settings of {@code hooks.gmail}, by their names below it, such as {@code oauth.clientId}; what this doesn't name
     *     and {@code mail setup} has an option for is taken away
     * @param secrets {@code password}, or {@code oauth.refreshToken} and perhaps {@code oauth.clientSecret}
     */
    static MailboxPlan of(Environment environment, Map<String, String> settings, Map<String, Secret> secrets) {
        Problems problems = new Problems();
        Optional<Home> home = new HomeSearch(environment, problems).find();
        return home.isEmpty() ? unfit(problems) : plan(environment, home.get(), settings, secrets, problems);
    }

    private static MailboxPlan plan(
            Environment environment,
            Home home,
            Map<String, String> settings,
            Map<String, Secret> secrets,
            Problems problems) {
        Optional<Path> found = ConfigurationFile.find(home.directory(), problems);
        Path file = found.orElse(home.directory().resolve(ConfigurationFile.NAMES.get(0)));
        boolean fresh = found.isEmpty() && new FreshHome(home, problems).isFresh();
        Optional<String> before = found.isPresent()
                ? ConfigurationFile.text(file, problems)
                : Optional.of(fresh ? FreshHome.CONTENT : "");
        Optional<Node> read = before.flatMap(text -> ConfigurationFile.tree(file, text, problems));
        if (!problems.isEmpty()) {
            return unfit(problems);
        }
        Map<String, String> wanted = new LinkedHashMap<>(settings);
        Map<Path, String> files = new LinkedHashMap<>();
        secrets.forEach((setting, secret) -> {
            Path secretFile = SECRETS.resolve(SECRET_FILES.get(setting));
            wanted.put(setting, "${file:" + secretFile.toString().replace('\\', '/') + "}");
            files.put(home.directory().resolve(secretFile), secret.reveal());
        });
        Node root = read.orElseGet(() -> Fields.empty(Origin.file(file)));
        MailboxTree tree = new MailboxTree(wanted);
        Node after = root instanceof Fields fields ? tree.over(fields) : root;
        Map<Path, String> pending = new LinkedHashMap<>(files);
        if (fresh) {
            pending.put(home.directory().resolve("secrets/hook-token"), FreshHome.newToken());
        }
        Configuration outcome =
                new ConfigurationLoader(environment).read(home, Optional.of(file), after, pending, problems);
        if (outcome instanceof Refused refused) {
            return new Unfit(refused.problems());
        }
        Optional<String> text = edited(file, before.orElse(""), tree, after);
        String obstacle = text.isEmpty()
                ? "is written in a way that only a person can change"
                : isWritable(file) ? null : "may not be written by this process";
        return new MailboxChange(home, file, fresh, tree, files, (Configured) outcome, text.orElse(null), obstacle);
    }

    private static Unfit unfit(Problems problems) {
        return new Unfit(problems.refused().problems());
    }

    /** The file's new text, where it says {@code after} and nothing else; empty where that can't be had. */
    private static Optional<String> edited(Path file, String before, MailboxTree tree, Node after) {
        if (file.toString().endsWith(".json5")) {
            return Optional.empty();
        }
        try {
            MapText text = new MapText(before, file.toString().endsWith(".json"));
            tree.writeInto(text);
            Problems faults = new Problems();
            Optional<Node> read = ConfigurationFile.tree(file, text.text(), faults);
            return read.isPresent() && faults.isEmpty() && MailboxTree.same(read.get(), after)
                    ? Optional.of(text.text())
                    : Optional.empty();
        } catch (NoPlaceException onlyByHand) {
            return Optional.empty();
        }
    }

    private static boolean isWritable(Path file) {
        Path there = file;
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        Path directory = there.getParent();
        return Files.isWritable(there) && (there != file || directory == null || Files.isWritable(directory));
    }
}
