package dev.postern.config;

import dev.postern.model.DatabaseUrl;
import dev.postern.model.Secret;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** The whole configuration: every section read, and the rules that span several of them. */
final class SettingsSection {

    private SettingsSection() {}

    /** Reads {@code root}. Where a problem was found, the settings have holes and defaults in its place. */
    static Supplier<Settings> read(Section root) {
        Map<String, Settings.Provider> providers = ProvidersSection.read(root);
        Map<String, Settings.McpServer> mcp = McpSection.read(root);
        Map<String, Settings.Channel> channels = ChannelsSection.read(root);
        Settings.Database database = database(root.section(Declared.DATABASE));
        Section hooksSection = root.section(HooksSection.HOOKS);
        Set<String> channelIds = new LinkedHashSet<>(root.ids(ChannelsSection.CHANNELS));
        Settings.Agents agents = AgentsSection.read(root, providers, channelIds);
        Hooks hooks = HooksSection.read(hooksSection, agents, channelIds, providers);
        Map<String, Secret> others = TokenRules.secretsBeside(providers, mcp, channels, database);
        TokenRules.addMail(others, hooks.mailbox());
        TokenRules.addSigning(others, hooks.mappings());
        TokenRules.judgeSharing(hooksSection, hooks.tokens(), others);
        Settings.Retention retention = new Settings.Retention(
                Duration.ofDays(root.section(Declared.RETENTION).get(Declared.RETENTION_DAYS)));
        Settings.Deliveries deliveries =
                new Settings.Deliveries(root.section(Declared.DELIVERIES).get(Declared.MAX_ATTEMPTS));
        List<String> proxies =
                root.section(Declared.SERVER).given(Declared.TRUSTED_PROXIES).orElse(List.of());
        Settings.ServerSettings server = new Settings.ServerSettings(proxies);
        Settings.Access console = root.get(Declared.CONSOLE);
        Settings.Access metrics = root.get(Declared.METRICS);
        return () -> new Settings(
                root.reading().home(),
                hooks,
                agents,
                providers,
                mcp,
                channels,
                deliveries,
                database,
                retention,
                server,
                console,
                metrics);
    }

    private static Settings.Database database(Section section) {
        String url = section.given(Declared.DATABASE_URL).orElse(null);
        if (url != null && DatabaseUrl.of(url) instanceof DatabaseUrl.Unfit unfit) {
            section.problem(Declared.DATABASE_URL, unfit.wrong(), unfit.instead());
        }
        if (!section.gives(Declared.DATABASE_URL)
                && (section.gives(Declared.DATABASE_USERNAME) || section.gives(Declared.DATABASE_PASSWORD))) {
            section.warn(Declared.DATABASE_URL, "is missing, so the username and password are used for nothing");
        }
        return new Settings.Database(
                url,
                section.given(Declared.DATABASE_USERNAME).orElse(null),
                section.given(Declared.DATABASE_PASSWORD).orElse(null));
    }
}
