package dev.postern.config;

import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.config.ConfigurationResult.Value;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The difference between two configurations: the settings that have different values, whatever their origins. */
final class SettingsDifference {

    private final Set<String> names = new LinkedHashSet<>();

    private SettingsDifference() {}

    /** The full names of the settings. For values that are never shown, at least the section is named. */
    static List<String> between(Configured one, Configured other) {
        SettingsDifference settingsDifference = new SettingsDifference();
        settingsDifference.shown(values(one), values(other));
        Settings before = one.settings();
        Settings after = other.settings();
        settingsDifference.withheld(
                "hooks.token", before.hooks().tokens(), after.hooks().tokens());
        settingsDifference.withheld(
                "hooks.gmail", before.hooks().mailbox(), after.hooks().mailbox());
        settingsDifference.withheld("hooks.mappings", signing(before), signing(after));
        settingsDifference.withheld("senders", before.senders(), after.senders());
        settingsDifference.withheld("providers", before.providers(), after.providers());
        settingsDifference.withheld("mcp", before.mcp(), after.mcp());
        settingsDifference.withheld("channels", before.channels(), after.channels());
        settingsDifference.withheld("database", before.database(), after.database());
        return List.copyOf(settingsDifference.names);
    }

    private void shown(Map<String, String> before, Map<String, String> after) {
        Set<String> all = new LinkedHashSet<>(before.keySet());
        all.addAll(after.keySet());
        all.stream()
                .filter(name -> !Objects.equals(before.get(name), after.get(name)))
                .forEach(names::add);
    }

    private void withheld(String section, @Nullable Object before, @Nullable Object after) {
        if (!Objects.equals(before, after) && names.stream().noneMatch(name -> name.startsWith(section))) {
            names.add(section);
        }
    }

    private static Map<String, String> values(Configured configured) {
        Map<String, String> values = new LinkedHashMap<>();
        for (Value value : configured.values()) {
            values.put(value.setting(), value.value());
        }
        return values;
    }

    private static List<?> signing(Settings settings) {
        return settings.hooks().mappings().stream()
                .map(mapping -> List.of(mapping.match(), Optional.ofNullable(mapping.verify())))
                .toList();
    }
}
