package dev.postern.config;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A summary of the effective configuration in one line, without secrets. */
final class SettingsSummary {

    private SettingsSummary() {}

    static String of(ConfigurationResult.Configured configured) {
        return of(configured, database(configured.settings().database()));
    }

    /** The summary of a configuration that is used with {@code database}, named without user and password. */
    static String of(ConfigurationResult.Configured configured, String database) {
        Settings settings = configured.settings();
        return String.join(
                ", ",
                hooks(settings.hooks(), settings.senders().size()),
                "agents "
                        + settings.agents().list().stream()
                                .map(agent -> agent.id() + " (" + agent.model() + ")")
                                .collect(Collectors.joining(", ")),
                "channels " + String.join(" ", channels(settings)),
                "database " + database,
                "metrics " + settings.metrics().name().toLowerCase(Locale.ROOT),
                configured.fileNames().map(names -> "file " + names).orElse("no configuration file"),
                "home " + configured.home());
    }

    private static String hooks(HookSettings hooks, int senders) {
        if (!hooks.enabled()) {
            return "hooks off (hooks.enabled is false)";
        }
        int tokens = hooks.tokens().size();
        int mappings = hooks.mappings().size();
        return "hooks at " + hooks.path() + ", " + tokens + (tokens == 1 ? " token" : " tokens")
                + (senders == 0 ? "" : ", " + senders + (senders == 1 ? " sender" : " senders"))
                + (mappings == 0 ? "" : ", " + mappings + (mappings == 1 ? " mapping" : " mappings"));
    }

    private static Iterable<String> channels(Settings settings) {
        return settings.channels().isEmpty()
                ? List.of("inbox")
                : settings.channels().keySet();
    }

    private static String database(Settings.Database database) {
        String url = database.url();
        if (url == null) {
            return "SQLite in data/ unless a DataSource is bound";
        }
        return url.startsWith("jdbc:postgresql:") ? "PostgreSQL (database.url)" : "SQLite (database.url)";
    }
}
