package dev.postern.config;

import dev.postern.config.MappingSettings.TextField;
import dev.postern.config.MappingTypes.Templated;
import dev.postern.config.ScalarTypes.Choice;
import dev.postern.config.ScalarTypes.Text;
import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Setting;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The section {@code source} of a mapping, which describes where an event happened and who caused it, and the settings
 * {@code replyTo} and {@code hooks.presetReplyTo}, which send replies there.
 */
final class SourceSection {

    /** The value of {@code replyTo} that sends replies to where the event happened. */
    static final String SOURCE_VALUE = "source";

    /** The presets whose mappings have a source. */
    private static final List<String> PRESETS_WITH_SOURCE =
            List.of("github", "gitlab", "sentry", "pagerduty", "jira", "linear", "gmail");

    static final Setting<String> CHANNEL = Setting.needed(
            "channel",
            new Text("a channel's id or kind", SectionReader.ID),
            "The channel that writes there: its id, or its kind if only one channel is of that kind.");
    static final Setting<String> TO = Setting.needed(
            "to",
            new Templated(new Text("a recipient")),
            "Where the event happened, as a recipient of that channel. If it is blank, the reply goes where it would go"
                    + " without replyTo.");
    static final Setting<String> AUTHOR = Setting.needed(
            "author",
            new Templated(new Text("an account")),
            "The account that caused the event. With replyTo, nothing is done for events of the channel's own account.");
    static final Setting<String> MARK = Setting.optional(
            "mark",
            new Templated(new Text("a text")),
            "What may hold the mark of a channel of Postern: a comment's text or id. Nothing is done for a marked event.");
    static final Group SOURCE =
            Group.of(SOURCE_VALUE, "Where the event happened, and who caused it.", CHANNEL, TO, AUTHOR, MARK);

    static final Setting<String> REPLY_TO = Setting.optional(
            "replyTo",
            new Choice(SOURCE_VALUE),
            "Where the reply goes in place of channel and to: source, which is where the event happened.");
    static final Setting<Map<String, String>> OF_PRESETS = Setting.optional(
            "presetReplyTo",
            new ListTypes.ChoiceMap(PRESETS_WITH_SOURCE, new Choice(SOURCE_VALUE)),
            "The same as replyTo of a mapping for presets, by the preset's name.");

    private SourceSection() {}

    /** The names of the presets whose replies go to the source. */
    static Set<String> presets(SectionReader hooks) {
        return hooks.given(OF_PRESETS).orElse(Map.of()).keySet();
    }

    /** Adds the mark of the mapping {@code row} to {@code mapping}, if it has one. */
    static MappingSettings withMark(SectionReader row, MappingSettings mapping) {
        return row.contains(SOURCE)
                ? row.section(SOURCE)
                        .given(MARK)
                        .map(mark -> mapping.with(TextField.SOURCE_MARK, text(row.section(SOURCE), MARK, mark)))
                        .orElse(mapping)
                : mapping;
    }

    static MappingSettings.Text text(SectionReader source, Setting<String> setting, String template) {
        return new MappingSettings.Text(template, source.where(setting));
    }
}
