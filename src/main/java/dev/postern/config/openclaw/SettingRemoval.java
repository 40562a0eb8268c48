package dev.postern.config.openclaw;

import dev.postern.config.ConfigurationNode;
import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Items;
import dev.postern.config.ConfigurationNode.Scalar;
import dev.postern.config.ValueOrigin;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A removal of a setting that Postern does not accept. It removes as little as possible, and never what restricts something
 * while the thing itself stays.
 *
 * @param settings the settings without it
 * @param removed the path of what was removed or replaced
 * @param outcome what goes with it, in words for the operator; empty if nothing does
 */
record SettingRemoval(Fields settings, SettingPath removed, String outcome) {

    private static final String OFFLINE = "offline/echo";

    /** What is left out with a mapping. */
    static final String LEFT_OUT = "the mapping is left out, and so are those after it that would take its requests";

    /** What goes with a restriction of hooks. */
    static final String HOOKS_OFF = "hooks are off until you write it and enabled: true";

    /** The fields of a mapping without which it does the same. */
    private static final Set<String> MINOR = Set.of("id", "name", "model", "thinking", "timeoutSeconds", "wakeMode");

    private static final Set<String> MINOR_OF_PROVIDERS =
            Set.of("maxTokens", "prices", "thinkingLevels", "contextTokens");

    /** Removes {@code path}; empty if nothing can be removed for it. */
    static Optional<SettingRemoval> of(Fields settings, SettingPath path) {
        SettingRemoval removal =
                switch (path.step(0)) {
                    case "hooks" ->
                        path.step(1).equals("mappings") ? ofMapping(settings, path) : ofHooks(settings, path);
                    case "agents" -> ofAgents(settings, path);
                    case "channels" -> ofEntry(settings, path, Set.of("textLimit"));
                    case "providers" -> ofEntry(settings, path, MINOR_OF_PROVIDERS);
                    default -> new SettingRemoval(settings, path, "");
                };
        return removal.settings().equals(settings) ? Optional.empty() : Optional.of(removal);
    }

    private static SettingRemoval ofMapping(Fields settings, SettingPath path) {
        SettingPath mapping = path.first(3);
        String field = path.step(3);
        if (MINOR.contains(field)) {
            return removed(settings, path.first(4), "");
        }
        if (field.equals("channel") || field.equals("to")) {
            Fields without =
                    mapping.child("to").removedFrom(mapping.child("channel").removedFrom(settings));
            ValueOrigin origin = path.origin(settings);
            return new SettingRemoval(
                    mapping.child("deliver").putInto(without, SettingsBuilder.flag(false, origin)),
                    path.first(4),
                    "the mapping's replies are not delivered");
        }
        Fields without = mapping.in(settings) == null
                ? settings
                : MappingOverlap.removed(settings, Integer.parseInt(mapping.step(2)));
        return new SettingRemoval(without, mapping, LEFT_OUT);
    }

    private static SettingRemoval ofHooks(Fields settings, SettingPath path) {
        String name = path.step(1);
        if (!Set.of("token", "allowedAgentIds", "allowedSessionKeyPrefixes").contains(name)) {
            return removed(settings, path.first(name.equals("gmail") ? 3 : 2), "");
        }
        SettingPath setting = path.first(2);
        Fields off =
                setting.sibling("enabled").putInto(settings, SettingsBuilder.flag(false, setting.origin(settings)));
        return removed(off, setting, HOOKS_OFF);
    }

    private static SettingRemoval ofAgents(Fields settings, SettingPath path) {
        int depth = path.step(1).equals("list") ? 3 : 2;
        String name = path.step(depth);
        SettingPath setting = path.first(depth + 1);
        return switch (name) {
            case "model" -> ofModel(settings, setting);
            case "id", "" -> removed(settings, path.first(depth), "the agent is left out");
            case "fallbacks" -> depth == 3 ? ofFallbacks(settings, setting) : removed(settings, setting, "");
            case "heartbeat" -> ofHeartbeat(settings, path.first(depth + 2));
            default -> removed(settings, setting, "");
        };
    }

    /** A model that can't be used goes; where one is needed, the offline one takes its place, and is allowed. */
    private static SettingRemoval ofModel(Fields settings, SettingPath path) {
        @Nullable ConfigurationNode model = path.in(settings);
        ValueOrigin origin = path.origin(settings);
        Scalar offline = SettingsBuilder.text(OFFLINE, origin);
        if (model == null) {
            return new SettingRemoval(
                    path.putInto(settings, offline), path, "offline/echo answers until you name a model");
        }
        if (!(model instanceof Scalar scalar) || !scalar.text().equals(OFFLINE)) {
            return removed(settings, path, "");
        }
        SettingPath allowed = path.sibling("models");
        if (allowed.in(settings) instanceof Fields models) {
            return new SettingRemoval(allowed.putInto(settings, models.with(OFFLINE, offline)), path, "");
        }
        return new SettingRemoval(settings, path, "");
    }

    /** Without a list of its own, an agent would ask the fallbacks of the defaults. */
    private static SettingRemoval ofFallbacks(Fields settings, SettingPath path) {
        Items none = new Items(List.of(), path.origin(settings));
        return new SettingRemoval(path.putInto(settings, none), path, "the agent has no fallbacks");
    }

    private static SettingRemoval ofHeartbeat(Fields settings, SettingPath path) {
        return path.step(path.steps().size() - 1).equals("target")
                ? new SettingRemoval(
                        path.putInto(
                                path.sibling("to").removedFrom(settings),
                                SettingsBuilder.text("inbox", path.origin(settings))),
                        path,
                        "its replies stay in inbox")
                : removed(settings, path, "");
    }

    /** @param minor the settings of an entry that can go without the entry */
    private static SettingRemoval ofEntry(Fields settings, SettingPath path, Set<String> minor) {
        return minor.contains(path.step(2))
                ? removed(settings, path.first(3), "")
                : removed(settings, path.first(2), path.step(0) + "." + path.step(1) + " is left out");
    }

    private static SettingRemoval removed(Fields settings, SettingPath path, String outcome) {
        return new SettingRemoval(path.removedFrom(settings), path, outcome);
    }
}
