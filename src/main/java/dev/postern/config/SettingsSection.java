package dev.postern.config;

import dev.postern.model.DatabaseUrl;
import dev.postern.model.Secret;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** The root section of the configuration: all its sections, and the rules that span several of them. */
final class SettingsSection {

    private SettingsSection() {}

    /** Reads {@code root}. If a problem was found, the settings have gaps or defaults in its place. */
    static Supplier<Settings> read(SectionReader root) {
        Map<String, Settings.Provider> providers = ProvidersSection.read(root);
        Map<String, Settings.McpServer> mcp = McpSection.read(root);
        Map<String, Settings.Channel> channels = ChannelsSection.read(root);
        Settings.Database database = database(root.section(DeclaredSettings.DATABASE));
        SectionReader hooksSection = root.section(HooksSection.HOOKS);
        Set<String> channelIds = new LinkedHashSet<>(root.ids(ChannelFields.CHANNELS));
        Set<String> channelNames = new LinkedHashSet<>(channelIds);
        channelNames.addAll(new ChannelNames(channels).all());
        AgentSettings agents = AgentsSection.read(root, providers, channelIds);
        HookSettings hooks = HooksSection.read(
                hooksSection,
                agents,
                new SourceReplyRules(channels, channelIds),
                channelNames,
                providers,
                root.get(DeclaredSettings.CONSOLE),
                !root.ids(SendersSection.SENDERS).isEmpty());
        Map<String, Secret> others = HookTokenRules.otherSecrets(providers, mcp, channels, database);
        MailChannelRules.checkLogins(root, channels, hooks.mailbox());
        HookTokenRules.addMail(others, hooks.mailbox());
        HookTokenRules.addSigning(others, hooks.mappings());
        HookTokenRules.checkSharing(hooksSection, hooks.tokens(), others);
        Map<String, SenderSettings> senders = SendersSection.read(root, hooks, agents, channelNames, others);
        PriceRules.check(root, providers, agents, NamedModels.of(agents, hooks, senders.values()));
        Map<String, BudgetSettings> budgets = BudgetsSection.read(
                root,
                new BudgetsSection.Known(
                        BudgetsSection.hooks(hooks),
                        senders.keySet(),
                        agents.list().stream().map(AgentSettings.Agent::id).toList(),
                        providers));
        Settings.Retention retention = new Settings.Retention(
                Duration.ofDays(root.section(DeclaredSettings.RETENTION).get(DeclaredSettings.RETENTION_DAYS)));
        Settings.Requests requests = requests(root.section(DeclaredSettings.REQUESTS));
        Settings.Deliveries deliveries = new Settings.Deliveries(
                root.section(DeclaredSettings.DELIVERIES).get(DeclaredSettings.MAX_ATTEMPTS));
        List<String> proxies = root.section(DeclaredSettings.SERVER)
                .given(DeclaredSettings.TRUSTED_PROXIES)
                .orElse(List.of());
        Settings.ServerSettings server = new Settings.ServerSettings(proxies);
        Settings.Access console = root.get(DeclaredSettings.CONSOLE);
        Settings.Access metrics = root.get(DeclaredSettings.METRICS);
        return () -> new Settings(
                root.reading().home(),
                hooks,
                senders,
                agents,
                providers,
                mcp,
                channels,
                budgets,
                deliveries,
                database,
                retention,
                requests,
                server,
                console,
                metrics);
    }

    private static Settings.Requests requests(SectionReader section) {
        Duration keep = section.get(DeclaredSettings.REQUESTS_KEEP);
        Duration payloadsFor = section.get(DeclaredSettings.PAYLOADS_FOR);
        boolean longer = payloadsFor.compareTo(keep) > 0;
        if (longer && section.given(DeclaredSettings.PAYLOADS_FOR).isPresent()) {
            section.problem(
                    DeclaredSettings.PAYLOADS_FOR,
                    "is longer than requests.keep",
                    "write at most that, or a longer requests.keep");
        }
        return new Settings.Requests(
                keep,
                Settings.KeptPayloads.of(section.get(DeclaredSettings.PAYLOADS)),
                longer ? keep : payloadsFor,
                section.get(DeclaredSettings.PAYLOADS_MAX_BYTES));
    }

    /** Reads the section {@code database}. */
    static Settings.Database database(SectionReader section) {
        String url = section.given(DeclaredSettings.DATABASE_URL).orElse(null);
        if (url != null && DatabaseUrl.of(url) instanceof DatabaseUrl.Unsupported unsupported) {
            section.problem(DeclaredSettings.DATABASE_URL, unsupported.wrong(), unsupported.instead());
        }
        if (!section.contains(DeclaredSettings.DATABASE_URL)
                && (section.contains(DeclaredSettings.DATABASE_USERNAME)
                        || section.contains(DeclaredSettings.DATABASE_PASSWORD))) {
            section.warn(
                    DeclaredSettings.DATABASE_URL, "is missing, so the username and password are used for nothing");
        }
        return new Settings.Database(
                url,
                section.given(DeclaredSettings.DATABASE_USERNAME).orElse(null),
                section.given(DeclaredSettings.DATABASE_PASSWORD).orElse(null));
    }
}
