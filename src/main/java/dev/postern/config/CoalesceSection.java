package dev.postern.config;

import dev.postern.config.ScalarTypes.Choice;
import dev.postern.config.ScalarTypes.Text;
import dev.postern.config.ScalarTypes.Whole;
import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.config.SettingDeclaration.Table;
import dev.postern.model.CoalescingRule;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code coalesce} of a mapping, and {@code hooks.presetCoalesce}, which has the same for presets: the requests
 * that become one run or event together.
 */
final class CoalesceSection {

    private static final String ALL = "all";
    private static final String LATEST = "latest";
    private static final DurationType TIMES = new DurationType(Duration.ofSeconds(1), Duration.ofHours(24), false);

    static final Setting<String> KEY = Setting.needed(
            "key",
            new MappingTypes.Templated(new Text("a text")),
            "What the requests of one turn have in common, as a template; a request whose key is blank stays alone.");
    static final Setting<Duration> WINDOW =
            Setting.of("window", TIMES, "30s", "How long no further request may come in before the turn begins.");
    static final Setting<Duration> MAX_WAIT =
            Setting.of("maxWait", TIMES, "5m", "How long after the first request the turn begins all the same.");
    static final Setting<String> KEEP = Setting.of(
            "keep",
            new Choice(ALL, LATEST),
            ALL,
            "Which texts the turn gets: all, or that of the latest request, with the number of the others.");
    static final Setting<Integer> MAX_ITEMS = Setting.of(
            "maxItems", new Whole(2, 1_000), 100, "The number of requests at which the turn begins at once.");
    static final Group COALESCE = Group.of(
            "coalesce",
            "Requests that become one run or event together, such as those of a storm of alerts.",
            KEY,
            WINDOW,
            MAX_WAIT,
            KEEP,
            MAX_ITEMS);
    static final Table OF_PRESETS = new Table(
            "presetCoalesce",
            "The same as coalesce of a mapping for presets, by the preset's name.",
            List.of(COALESCE),
            List.of());

    private final SectionReader coalesce;
    private final MappingSettings.@Nullable Text key;
    private final CoalescingRule rule;

    private CoalesceSection(SectionReader coalesce) {
        Duration window = coalesce.get(WINDOW);
        Duration maxWait = coalesce.get(MAX_WAIT);
        if (maxWait.compareTo(window) < 0) {
            coalesce.problem(
                    coalesce.contains(MAX_WAIT) ? MAX_WAIT : WINDOW,
                    "makes maxWait shorter than window, so that no turn waits for quiet",
                    "write a maxWait of at least " + DurationType.shortest(window) + ", or a shorter window");
        }
        this.coalesce = coalesce;
        this.key = coalesce.given(KEY)
                .map(text -> new MappingSettings.Text(text, coalesce.where(KEY)))
                .orElse(null);
        this.rule = new CoalescingRule(window, maxWait, coalesce.get(KEEP).equals(LATEST), coalesce.get(MAX_ITEMS));
    }

    /** Reads the section {@code coalesce} of a mapping. */
    static CoalesceSection of(SectionReader coalesce) {
        return new CoalesceSection(coalesce);
    }

    /** Reads the sections for presets by the preset's name. */
    static Map<String, CoalesceSection> ofPresets(SectionReader hooks) {
        Map<String, CoalesceSection> sections = new LinkedHashMap<>();
        hooks.entries(OF_PRESETS).forEach((name, section) -> sections.put(name, of(section)));
        return sections;
    }

    /** {@code mapping} with this section's rule; without one if the section has no valid key. */
    MappingSettings apply(MappingSettings mapping) {
        if (mapping.forEach() != null) {
            coalesce.problem(
                    KEY,
                    "stands in coalesce beside forEach in the mapping " + mapping.id()
                            + ", whose requests become several actions",
                    "leave out coalesce or forEach");
        }
        return key == null ? mapping : mapping.coalescing(key, rule);
    }
}
