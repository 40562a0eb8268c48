package dev.postern.config;

import dev.postern.config.MappingSettings.Action;
import dev.postern.config.SettingDeclaration.Setting;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules for mappings whose replies go to where the event happened ({@code replyTo: source}). The channel needs to know
 * its own account, or the agent would answer itself.
 *
 * @param channels the channels that could be read, by id
 * @param ids the ids of all channels, also of those that could not be read
 */
record SourceReplyRules(Map<String, Settings.Channel> channels, Set<String> ids) {

    /** Sends the replies of an operator's mapping to its source if it says so; its contradictions are problems. */
    MappingSettings apply(SectionReader row, MappingSettings mapping) {
        if (row.given(SourceSection.REPLY_TO).isEmpty()) {
            return mapping;
        }
        if (!row.contains(SourceSection.SOURCE)) {
            row.problem(
                    SourceSection.REPLY_TO,
                    "is source, but the mapping has no source",
                    "add source with channel, to and author");
            return mapping;
        }
        checkContradictions(row, mapping);
        return replying(row, SourceSection.REPLY_TO, row.section(SourceSection.SOURCE), mapping);
    }

    /** Sends the replies of a preset's mapping to its source if it has one. */
    MappingSettings applyToPreset(SectionReader hooks, SectionReader row, MappingSettings mapping) {
        return row.contains(SourceSection.SOURCE)
                ? replying(hooks, SourceSection.OF_PRESETS, row.section(SourceSection.SOURCE), mapping)
                : mapping;
    }

    private static void checkContradictions(SectionReader row, MappingSettings mapping) {
        for (Setting<?> other : List.of(MappingFields.CHANNEL, MappingFields.TO)) {
            if (row.contains(other)) {
                row.problem(other, "stands beside replyTo, which takes its place", "keep one of them");
            }
        }
        if (Boolean.FALSE.equals(mapping.turn().deliver())) {
            row.problem(MappingFields.DELIVER, "is false beside replyTo, which delivers the reply", "keep one of them");
        }
        if (mapping.action() == Action.WAKE) {
            row.problem(SourceSection.REPLY_TO, "stands with action wake, which has no reply", "keep one of them");
        }
    }

    /**
     * {@code mapping} with its replies sent to the place that {@code source} describes. Without a usable channel it is a
     * problem of {@code setting}.
     *
     * @param place the section of {@code setting}, in which the operator asks for such replies
     */
    MappingSettings replying(
            SectionReader place, SettingDeclaration setting, SectionReader source, MappingSettings mapping) {
        String wanted = source.given(SourceSection.CHANNEL).orElse(null);
        String to = source.given(SourceSection.TO).orElse(null);
        String author = source.given(SourceSection.AUTHOR).orElse(null);
        Settings.@Nullable Channel channel = wanted == null ? null : channel(place, setting, wanted);
        if (channel == null || to == null || author == null) {
            return mapping;
        }
        ChannelKind kind = ChannelKind.of(channel);
        if (kind.accountSetting() == null) {
            place.problem(
                    setting,
                    "is source, but a channel of kind " + kind.label()
                            + " doesn't know its own account, and would answer" + " itself",
                    "give channel and to instead");
            return mapping;
        }
        String account = channel.options().get(kind.accountSetting());
        if (account == null) {
            place.problem(
                    setting,
                    "is source, which needs channels." + channel.id() + "." + kind.accountSetting()
                            + ": nothing is done for events of that account",
                    "write there the account of the channel's credentials, which check --online shows");
            return mapping;
        }
        return mapping.replying(
                SourceSection.text(source, SourceSection.CHANNEL, channel.id()),
                SourceSection.text(source, SourceSection.TO, to),
                SourceSection.text(source, SourceSection.AUTHOR, author),
                new MappingSettings.ReplyToSource(account, kind.sourceReply() == ChannelKind.SourceReply.ONLY));
    }

    private Settings.@Nullable Channel channel(SectionReader place, SettingDeclaration setting, String wanted) {
        Settings.Channel named = channels.get(wanted);
        if (named != null || ids.contains(wanted)) {
            return named;
        }
        List<Settings.Channel> ofKind = channels.values().stream()
                .filter(channel -> channel.kind().equals(wanted))
                .toList();
        if (ofKind.size() == 1) {
            return ofKind.get(0);
        }
        place.problem(
                setting,
                ofKind.isEmpty()
                        ? "is source, which needs the channel " + wanted + ", and it is not configured"
                        : "is source, but several channels are of kind " + wanted,
                ofKind.isEmpty()
                        ? "add channels." + wanted + " with its credentials and its account"
                        : "give the one that answers the id " + wanted);
        return null;
    }
}
