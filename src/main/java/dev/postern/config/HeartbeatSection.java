package dev.postern.config;

import dev.postern.config.ScalarTypes.Text;
import dev.postern.config.ScalarTypes.TimeOfDay;
import dev.postern.config.ScalarTypes.Zone;
import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.model.Recipient;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code heartbeat}, of all agents or of one: the schedule of heartbeats and the recipient of their
 * replies.
 */
final class HeartbeatSection {

    private HeartbeatSection() {}

    private static final ValueType<Duration> INTERVAL =
            new DurationType(Duration.ofSeconds(1), Duration.ofDays(365), true);
    private static final ValueType<String> CHANNEL = new Text("last, none, inbox or a channel's id");

    static final Setting<Duration> EVERY =
            Setting.of("every", INTERVAL, "30m", "The time between heartbeats; 0 for none but immediate ones.");
    static final Setting<String> TARGET =
            Setting.of("target", CHANNEL, Recipient.LAST, "Where its words go: last, a channel's id, inbox, or none.");
    static final Setting<Duration> OWN_EVERY = Setting.optional("every", INTERVAL, "The time between its heartbeats.");
    static final Setting<String> OWN_TARGET = Setting.optional("target", CHANNEL, "Where its words go.");
    static final Setting<String> TO = Setting.optional(
            "to", new Text("a recipient"), "Whom they go to on that channel: a number, a chat's or a person's id.");

    static final Setting<LocalTime> START = Setting.needed("start", new TimeOfDay(), "The first active minute.");
    static final Setting<LocalTime> END =
            Setting.needed("end", new TimeOfDay(), "The first minute that is not; over midnight when before start.");
    static final Setting<ZoneId> TIMEZONE =
            Setting.optional("timezone", new Zone(), "The time zone of both; the server's when left out.");
    static final Group ACTIVE_HOURS =
            Group.of("activeHours", "The hours of periodic heartbeats; all, when left out.", START, END, TIMEZONE);

    static final Group DEFAULTS = Group.of(
            "heartbeat", "When an agent looks at its waiting events by itself.", EVERY, TARGET, TO, ACTIVE_HOURS);
    static final Group OWN = Group.of("heartbeat", "Its own heartbeat.", OWN_EVERY, OWN_TARGET, TO, ACTIVE_HOURS);

    static AgentSettings.Heartbeat read(SectionReader heartbeat, Set<String> channels) {
        return new AgentSettings.Heartbeat(
                heartbeat.get(EVERY),
                target(heartbeat, TARGET, channels).orElse(Recipient.LAST),
                heartbeat.given(TO).orElse(null),
                heartbeat.contains(ACTIVE_HOURS) ? activeHours(heartbeat.section(ACTIVE_HOURS)) : null);
    }

    /**
     * An agent's own heartbeat settings, completed from {@code defaults}. With a target of its own, it does not inherit
     * {@code to}.
     */
    static AgentSettings.Heartbeat readOwn(
            SectionReader heartbeat, AgentSettings.Heartbeat defaults, Set<String> channels) {
        Optional<String> target = target(heartbeat, OWN_TARGET, channels);
        Optional<String> to = heartbeat.given(TO);
        return new AgentSettings.Heartbeat(
                heartbeat.given(OWN_EVERY).orElse(defaults.every()),
                target.orElse(defaults.target()),
                target.isPresent() ? to.orElse(null) : to.orElse(defaults.to()),
                heartbeat.contains(ACTIVE_HOURS)
                        ? activeHours(heartbeat.section(ACTIVE_HOURS))
                        : defaults.activeHours());
    }

    private static Optional<String> target(SectionReader heartbeat, Setting<String> setting, Set<String> channels) {
        Optional<String> target = heartbeat.given(setting);
        Set<String> known =
                new LinkedHashSet<>(List.of(Recipient.LAST, Recipient.INBOX, AgentSettings.Heartbeat.NO_TARGET));
        known.addAll(channels);
        if (target.isPresent() && !known.contains(target.get())) {
            heartbeat.problem(
                    setting,
                    "is [" + target.get() + "], which is no channel here",
                    AgentsSection.suggest(target.get(), known));
        }
        return target;
    }

    private static AgentSettings.@Nullable ActiveHours activeHours(SectionReader hours) {
        Optional<LocalTime> start = hours.given(START);
        Optional<LocalTime> end = hours.given(END);
        ZoneId zone = hours.given(TIMEZONE).orElseGet(hours.reading().zone());
        if (start.isEmpty() || end.isEmpty()) {
            return null;
        }
        if (start.get().equals(end.get())) {
            hours.problem(END, "is the same as start", "write another time, or leave activeHours out for all hours");
        }
        return new AgentSettings.ActiveHours(start.get(), end.get(), zone);
    }
}
