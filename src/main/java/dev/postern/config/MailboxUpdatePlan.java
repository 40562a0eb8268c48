package dev.postern.config;

import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.config.ConfigurationResult.Rejected;
import dev.postern.model.Secret;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A plan for writing a mailbox into a home. Before anything is written, the new content is read as a start would read
 * it. It has to work together with the existing configuration.
 */
public sealed interface MailboxUpdatePlan permits MailboxUpdate, MailboxUpdatePlan.RejectedPlan {

    /**
     * A plan that is rejected, because the configuration would not work with that mailbox.
     *
     * @param problems every problem; never empty
     */
    record RejectedPlan(List<ConfigurationProblem> problems) implements MailboxUpdatePlan {

        public RejectedPlan {
            problems = List.copyOf(problems);
        }
    }

    /** The directory for secrets, below the home. */
    Path SECRETS = Path.of("secrets");

    /** The name of the refresh token's file there. */
    String REFRESH_TOKEN_FILE = "mail-refresh-token";

    /** The names of the login's secret files there, by setting. */
    Map<String, String> SECRET_FILES = Map.of(
            "password", "mail-password",
            "oauth.refreshToken", REFRESH_TOKEN_FILE,
            "oauth.clientSecret", "mail-client-secret");

    /**
     * Plans an update of the process's home; nothing is written.
     *
     * @param settings the settings of {@code hooks.gmail}, by their names below it, such as {@code oauth.clientId}
     * @param secrets the secrets by setting: {@code password}, or {@code oauth.refreshToken} and perhaps
     *     {@code oauth.clientSecret}
     * @param answers the settings of {@code channels.mail}, by their names below it, with commas between those of a list;
     *     empty for a mailbox whose mails get no answers
     */
    static MailboxUpdatePlan of(
            ProcessEnvironment environment,
            Map<String, String> settings,
            Map<String, Secret> secrets,
            Map<String, String> answers) {
        ConfigurationProblems problems = new ConfigurationProblems();
        Optional<HomeDirectory> home = new HomeDirectoryFinder(environment, problems).find();
        return home.isEmpty()
                ? rejected(problems)
                : plan(environment, home.get(), settings, secrets, answers, problems);
    }

    private static MailboxUpdatePlan plan(
            ProcessEnvironment environment,
            HomeDirectory home,
            Map<String, String> settings,
            Map<String, Secret> secrets,
            Map<String, String> answers,
            ConfigurationProblems problems) {
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
                .filter(name -> answers.isEmpty() || !MailSection.SETTINGS.contains(name))
                .toList();
        MailFile.Draft draft = file.draft(wanted, answers);
        Optional<MailSection> section = draft.section(problems);
        if (section.isEmpty() || !problems.isEmpty()) {
            return rejected(problems);
        }
        ConfigurationResult outcome = new ConfigurationLoader(environment).with(section.get(), files, home, problems);
        return outcome instanceof Rejected rejected
                ? new RejectedPlan(rejected.problems())
                : new MailboxUpdate(home, draft, dropped, files, (Configured) outcome);
    }

    private static RejectedPlan rejected(ConfigurationProblems problems) {
        return new RejectedPlan(problems.rejected().problems());
    }
}
