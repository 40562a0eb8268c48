package dev.postern.config;

import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Rows;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.config.SettingDeclaration.Table;
import dev.postern.model.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The declarations of all settings. Large sections are declared beside the code that reads them. */
final class DeclaredSettings {

    private DeclaredSettings() {}

    /** The name of the setting that says the kind of a table's entry. */
    static final String KIND = "kind";

    /** The name of the setting with the environment variables of a program. */
    static final String ENV = "env";

    static final Setting<String> DATABASE_URL = Setting.optional(
            "url",
            new SecretTypes.Guarded("a JDBC URL such as jdbc:postgresql://host/database"),
            "Where accepted work is kept: a JDBC URL of PostgreSQL. Without it SQLite in the home's data/ is used.");
    static final Setting<String> DATABASE_USERNAME =
            Setting.optional("username", new SecretTypes.Guarded("a user name"), "The database user.");
    static final Setting<Secret> DATABASE_PASSWORD =
            Setting.optional("password", new SecretTypes.Credential(), "The database user's password.");
    static final Group DATABASE =
            Group.of("database", "Where accepted work is kept.", DATABASE_URL, DATABASE_USERNAME, DATABASE_PASSWORD);

    static final Setting<Integer> RETENTION_DAYS = Setting.of(
            "days",
            new ScalarTypes.Whole(1, 36_500),
            30,
            "Days that finished work stays visible, counted from its end.");
    static final Group RETENTION = Group.of("retention", "How long finished work is kept.", RETENTION_DAYS);

    static final Setting<Duration> REQUESTS_KEEP = Setting.of(
            "keep",
            new DurationType(Duration.ofHours(1), Duration.ofDays(36_500), false),
            "30d",
            "How long admitted requests stay in the request log, counted from their arrival.");
    static final Setting<String> PAYLOADS = Setting.of(
            "payloads",
            ScalarTypes.KEPT_PAYLOADS,
            "none",
            "Which requests' payloads are kept, encrypted: none, those of failed requests (failed), or all.");
    static final Setting<Duration> PAYLOADS_FOR = Setting.of(
            "payloadsFor",
            new DurationType(Duration.ofMinutes(1), Duration.ofDays(36_500), false),
            "72h",
            "How long a payload is kept, counted from its request's arrival; at most requests.keep.");
    static final Setting<Long> PAYLOADS_MAX_BYTES = Setting.of(
            "payloadsMaxBytes",
            new SizeType(SizeType.MIB, 1024 * SizeType.GIB),
            "512MiB",
            "How many bytes all kept payloads may take together; when it is reached, the oldest are deleted first.");
    static final Group REQUESTS =
            Group.of("requests", "The request log.", REQUESTS_KEEP, PAYLOADS, PAYLOADS_FOR, PAYLOADS_MAX_BYTES);

    static final Setting<Integer> MAX_ATTEMPTS = Setting.of(
            "maxAttempts",
            new ScalarTypes.Whole(1, 100),
            12,
            "Attempts in a row at one message until its delivery is given up; twelve take two and a half hours.");
    static final Group DELIVERIES = Group.of("deliveries", "How replies are brought to channels.", MAX_ATTEMPTS);

    static final Setting<List<String>> TRUSTED_PROXIES = Setting.optional(
            "trustedProxies",
            new ListTypes.TextList(new NetworkType()),
            "The proxies in front of java -jar, by address or network: their X-Forwarded-For and X-Forwarded-Proto say who the"
                    + " client is, for the failure throttle and the log, and whether it came by https. Nobody else's do. In"
                    + " another server this is a setting of that server: see deploy-descriptors/.");
    static final Group SERVER = Group.of("server", "The server of java -jar.", TRUSTED_PROXIES);

    static final Setting<Settings.Access> CONSOLE = Setting.of(
            "console",
            new ScalarTypes.Exposure(false),
            "local",
            "Where /console/ can be reached from: off (nowhere), local (this machine, without a proxy) or viewer"
                    + " (anywhere). Its users need the role postern-viewer or postern-operator from the server.");
    static final Setting<Settings.Access> METRICS = Setting.of(
            "metrics",
            new ScalarTypes.Exposure(true),
            "local",
            "Who may see /metrics: off (nobody), local (programs on this machine; what a proxy passes on is not local), viewer"
                    + " (users to whom the server gives the role postern-viewer or postern-operator) or anyone who reaches the"
                    + " server.");

    static final Group ROOT = Group.of(
            "",
            "Postern's configuration.",
            HooksSection.HOOKS,
            SendersSection.SENDERS,
            AgentsSection.AGENTS,
            ProvidersSection.PROVIDERS,
            McpSection.MCP,
            ChannelFields.CHANNELS,
            BudgetsSection.BUDGETS,
            DELIVERIES,
            DATABASE,
            RETENTION,
            REQUESTS,
            SERVER,
            CONSOLE,
            METRICS);

    /** The duration of {@code number} seconds. */
    static Duration seconds(int number) {
        return Duration.ofSeconds(number);
    }

    /**
     * The names of the kinds that have a setting called {@code name}, in the table that has {@code group} as a kind.
     */
    static List<String> kindsWith(String name, Group group) {
        return ROOT.members().stream()
                .filter(settingDeclaration -> settingDeclaration instanceof Table table
                        && table.hasKinds()
                        && table.kinds().contains(group))
                .flatMap(table -> ((Table) table).kinds().stream())
                .filter(kind -> kind.member(name).isPresent())
                .map(Group::name)
                .toList();
    }

    /** The full names of all settings in {@code group} at {@code path}; {@code <id>} stands for any id. */
    static List<String> paths(String path, Group group) {
        List<String> paths = new ArrayList<>();
        for (SettingDeclaration settingDeclaration : group.members()) {
            String full = SettingNames.join(path, settingDeclaration.name());
            paths.add(full);
            if (settingDeclaration instanceof Group inner) {
                paths.addAll(paths(full, inner));
            } else if (settingDeclaration instanceof Rows rows) {
                paths.addAll(paths(full + "[]", rows.row()));
            } else if (settingDeclaration instanceof Table table) {
                table.kinds().forEach(kind -> paths.addAll(paths(full + ".<id>", kind)));
            }
        }
        return paths;
    }
}
