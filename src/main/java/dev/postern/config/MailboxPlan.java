package dev.postern.config;

import dev.postern.config.Configuration.Configured;
import dev.postern.config.Configuration.Refused;
import dev.postern.model.Secret;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What would come of writing a mailbox into a home. What is to be written is read as a start would read it, and has to work
 * together with what is there, before any of it is written.
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
     * @param settings of {@code hooks.gmail}, by their names below it, such as {@code oauth.clientId}
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
        Map<String, String> wanted = new LinkedHashMap<>(settings);
        Map<Path, String> files = new LinkedHashMap<>();
        secrets.forEach((setting, secret) -> {
            Path secretFile = SECRETS.resolve(SECRET_FILES.get(setting));
            wanted.put(setting, "${file:" + secretFile.toString().replace('\\', '/') + "}");
            files.put(home.directory().resolve(secretFile), secret.reveal());
        });
        MailFile file = MailFile.in(home.directory());
        List<String> logins = List.of(GmailFields.PASSWORD.name(), GmailFields.OAUTH.name());
        List<String> dropped = file.read(problems).map(MailSection::names).orElse(List.of()).stream()
                .filter(name -> !wanted.containsKey(name) && !logins.contains(name))
                .toList();
        MailFile.Draft draft = file.draft(wanted);
        Optional<MailSection> section = draft.section(problems);
        if (section.isEmpty() || !problems.isEmpty()) {
            return unfit(problems);
        }
        Configuration outcome = new ConfigurationLoader(environment).with(section.get(), files, home, problems);
        return outcome instanceof Refused refused
                ? new Unfit(refused.problems())
                : new MailboxChange(home, draft, dropped, files, (Configured) outcome);
    }

    private static Unfit unfit(Problems problems) {
        return new Unfit(problems.refused().problems());
    }
}
