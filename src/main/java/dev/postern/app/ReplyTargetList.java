package dev.postern.app;

import dev.postern.channel.ChannelRegistry;
import dev.postern.config.AgentSettings.Agent;
import dev.postern.config.MappingSettings;
import dev.postern.config.MappingSettings.TextField;
import dev.postern.config.Settings;
import dev.postern.model.Recipient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A list of the recipients of replies without a named channel, with a line for each mapping and for the agent action. */
final class ReplyTargetList {

    private final Settings settings;
    private final ChannelRegistry channelRegistry;

    private ReplyTargetList(Settings settings, ChannelRegistry channelRegistry) {
        this.settings = settings;
        this.channelRegistry = channelRegistry;
    }

    /** The lines for {@code settings}; none if hooks are not enabled. */
    static List<String> lines(Settings settings) {
        ReplyTargetList targets = new ReplyTargetList(settings, ConfiguredRecipientForms.channels(settings));
        List<String> lines = new ArrayList<>();
        if (settings.hooks().enabled()) {
            settings.hooks().mappings().stream()
                    .filter(ReplyTargetList::leavesTheChannelOpen)
                    .map(targets::line)
                    .forEach(lines::add);
            lines.add(settings.hooks().path() + "/agent: where a request names no channel, replies go "
                    + targets.whereTo(settings.agents().defaultAgent()));
        }
        return lines;
    }

    private static boolean leavesTheChannelOpen(MappingSettings mapping) {
        boolean makesRuns = mapping.action() == MappingSettings.Action.AGENT || mapping.transform() != null;
        MappingSettings.@Nullable Text channel = mapping.texts().get(TextField.CHANNEL);
        return makesRuns
                && !Boolean.FALSE.equals(mapping.turn().deliver())
                && mapping.action() != MappingSettings.Action.DELIVER
                && (channel == null || channel.template().equals(Recipient.LAST));
    }

    private String line(MappingSettings mapping) {
        MappingSettings.@Nullable Text agent = mapping.texts().get(TextField.AGENT_ID);
        String whereTo = agent != null && agent.isTemplated()
                ? "where those of the agent go that the payload names"
                : whereTo(settings.agents().resolve(agent == null ? null : agent.template()));
        return mapping.id() + " (" + mapping.where() + "): "
                + (mapping.transform() == null ? "no channel is named: " : "where its script names no channel, ")
                + "replies go " + whereTo;
    }

    private String whereTo(Agent agent) {
        Optional<Recipient> main = agent.heartbeat()
                .recipient()
                .filter(Recipient::namesChannel)
                .map(target -> target.to() == null ? channelRegistry.defaultRecipient(target.channel()) : target)
                .filter(channelRegistry::takes);
        Recipient target = main.orElseGet(channelRegistry::fallback);
        return "to " + target.channel() + (target.to() == null ? "" : " " + target.to())
                + (main.isPresent() ? ", as the heartbeats of " + agent.id() + " do" : "")
                + ", until one in the same session is sent to a channel by name";
    }
}
