package dev.postern.app;

import dev.postern.config.AgentSettings;
import dev.postern.config.ChannelNames;
import dev.postern.config.MappingSettings;
import dev.postern.config.MappingSettings.Action;
import dev.postern.config.MappingSettings.Text;
import dev.postern.config.MappingSettings.TextField;
import dev.postern.config.Settings;
import dev.postern.model.Recipient;
import dev.postern.observe.StartFailureReport;
import dev.postern.policy.RecipientFormats;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A check of the recipients that the settings fix: those of mappings, and those who are asked for approvals. It finds those to
 * which nothing could be delivered, because channel and {@code to} do not fit.
 */
final class FixedRecipientCheck {

    private FixedRecipientCheck() {}

    /** @throws StartException if there are such recipients */
    static void require(Settings settings) throws StartException {
        List<String> problems = problems(settings);
        if (!problems.isEmpty()) {
            throw new StartException(StartFailureReport.ofSettings(problems));
        }
    }

    /** The problems of {@code settings}, a line each. */
    static List<String> problems(Settings settings) {
        RecipientFormats formats = ConfiguredRecipientForms.of(settings);
        ChannelNames names = new ChannelNames(settings.channels());
        List<String> problems = new ArrayList<>();
        for (MappingSettings mapping : settings.hooks().mappings()) {
            @Nullable Text channel = mapping.texts().get(TextField.CHANNEL);
            @Nullable Text to = mapping.texts().get(TextField.TO);
            boolean checked = mapping.action() == Action.DELIVER || (mapping.action() == Action.AGENT && to != null);
            if (!checked
                    || mapping.transform() != null
                    || channel == null
                    || channel.isTemplated()
                    || (to != null && to.isTemplated())) {
                continue;
            }
            @Nullable
            String error = formats.formatError(names.id(channel.template()), to == null ? null : to.template());
            if (error != null) {
                problems.add((to == null ? channel : to).where() + ": the mapping " + mapping.id()
                        + " delivers to this channel, and " + error);
            }
        }
        addAskedRecipients(settings.agents().list(), formats, problems);
        return problems;
    }

    private static void addAskedRecipients(
            List<AgentSettings.Agent> agents, RecipientFormats formats, List<String> problems) {
        for (int i = 0; i < agents.size(); i++) {
            @Nullable Recipient asked = agents.get(i).tools().approval().askOn();
            @Nullable String error = asked == null ? null : formats.formatError(asked.channel(), asked.to());
            if (error != null) {
                problems.add("agents.list[" + i + "].tools.askChannel: the agent "
                        + agents.get(i).id() + " asks on this channel, and " + error);
            }
        }
    }
}
