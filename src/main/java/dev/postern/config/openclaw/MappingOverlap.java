package dev.postern.config.openclaw;

import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Items;
import dev.postern.config.ConfigurationNode.Scalar;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests that two mappings have in common. The first mapping that matches decides. So when one is left out, those after it
 * would take its requests, and are left out too.
 */
final class MappingOverlap {

    static final String BECAUSE = "a mapping before it, which decides on some of its requests, is not taken";

    private static final SettingPath MAPPINGS = new SettingPath(List.of("hooks", "mappings"));
    private static final SettingPath PRESETS = new SettingPath(List.of("hooks", "presets"));

    private MappingOverlap() {}

    /** Whether a request can match both mappings. */
    static boolean of(Fields one, Fields other) {
        return isSame(condition(one, "path"), condition(other, "path"))
                && isSame(condition(one, "source"), condition(other, "source"));
    }

    /** Whether a request for the preset {@code gmail} can match {@code mapping}. */
    static boolean ofMails(Fields mapping) {
        return isSame(condition(mapping, "path"), "gmail");
    }

    private static boolean isSame(@Nullable String one, @Nullable String other) {
        return one == null || other == null || one.equals(other);
    }

    private static @Nullable String condition(Fields mapping, String name) {
        return mapping.value("match") instanceof Fields match
                        && match.value(name) instanceof Scalar condition
                        && !condition.text().isBlank()
                        && !EnvironmentText.hasReference(condition.text())
                ? condition.text().strip().replaceAll("^/+|/+$", "")
                : null;
    }

    /** {@code settings} without the mapping at {@code place} and those after it, presets included, that overlap with it. */
    static Fields removed(Fields settings, int place) {
        if (!(MAPPINGS.in(settings) instanceof Items items) || !(items.nodes().get(place) instanceof Fields mapping)) {
            return settings;
        }
        List<Integer> gone = new ArrayList<>(List.of(place));
        List<Fields> left = new ArrayList<>(List.of(mapping));
        for (int later = place + 1; later < items.nodes().size(); later++) {
            if (items.nodes().get(later) instanceof Fields other
                    && left.stream().anyMatch(each -> of(each, other))) {
                gone.add(0, later);
                left.add(other);
            }
        }
        Fields without = settings;
        for (int each : gone) {
            without = MAPPINGS.child(Integer.toString(each)).removedFrom(without);
        }
        return left.stream().anyMatch(MappingOverlap::ofMails) ? PRESETS.removedFrom(without) : without;
    }
}
