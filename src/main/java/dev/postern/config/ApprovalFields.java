package dev.postern.config;

import dev.postern.config.ListTypes.TextList;
import dev.postern.config.ScalarTypes.Text;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.model.Recipient;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The settings of an agent's {@code tools} that say which calls need an operator's approval. */
final class ApprovalFields {

    private static final Duration LONGEST = Duration.ofDays(7);
    private static final Duration DEFAULT_WITHIN = Duration.ofHours(24);

    static final Setting<List<String>> APPROVE = Setting.optional(
            "approve",
            new TextList(new Text("the name of a tool")),
            "The tools whose calls wait for an operator's approval, each <tool> or <server>/<tool>.");
    static final Setting<Duration> APPROVE_WITHIN = Setting.of(
            "approveWithin",
            new DurationType(Duration.ofMinutes(1), LONGEST, false),
            "24h",
            "How long an operator may take; then the call is refused.");
    static final Setting<String> ASK_CHANNEL = Setting.optional(
            "askChannel",
            new Text("a channel's id", SectionReader.ID),
            "The channel that asks for approvals, with the arguments; the console alone when left out.");
    static final Setting<String> ASK_TO = Setting.optional(
            "askTo", new Text("a recipient"), "Whom that channel asks; its own recipient when left out.");

    /** No call needs approval, unless a mapping says so. */
    static final AgentSettings.Approval NONE = new AgentSettings.Approval(List.of(), DEFAULT_WITHIN, null);

    private ApprovalFields() {}

    /** Warns of an {@code approve} of {@code section} that names {@code tools} while there is no console to approve them. */
    static void check(SectionReader section, SettingDeclaration approve, List<String> tools, Settings.Access console) {
        if (!tools.isEmpty() && console == Settings.Access.OFF) {
            section.warn(
                    approve, "waits for nobody while console is off: each such call is refused after approveWithin");
        }
    }

    /** @param channels the ids of the channels that are configured */
    static AgentSettings.Approval read(SectionReader tools, Set<String> channels) {
        Optional<String> channel = tools.given(ASK_CHANNEL);
        Set<String> known = new LinkedHashSet<>(List.of(Recipient.INBOX));
        known.addAll(channels);
        if (channel.isPresent() && !known.contains(channel.get())) {
            tools.problem(
                    ASK_CHANNEL,
                    "is [" + channel.get() + "], which is not below channels",
                    AgentsSection.suggest(channel.get(), known));
        }
        if (channel.isEmpty() && tools.contains(ASK_TO)) {
            tools.problem(ASK_TO, "stands without askChannel", "name the channel, or remove it");
        }
        @Nullable
        Recipient askOn = channel.map(
                        id -> new Recipient(id, tools.given(ASK_TO).orElse(null)))
                .orElse(null);
        return new AgentSettings.Approval(tools.given(APPROVE).orElse(List.of()), tools.get(APPROVE_WITHIN), askOn);
    }
}
