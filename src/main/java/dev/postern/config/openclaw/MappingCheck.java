package dev.postern.config.openclaw;

import dev.postern.config.HookSettings;
import java.util.List;

/** A check of the templates and scripts of mappings, which the configuration alone does not find out about. */
public interface MappingCheck {

    /**
     * Checks the mappings of {@code hooks}.
     *
     * @return what is wrong, in the order of the mappings
     */
    List<Finding> check(HookSettings hooks);

    /**
     * A finding about one mapping.
     *
     * @param place the mapping's place, counted from 0; the operator's own come before those of presets
     * @param problem whether it prevents the start
     * @param sentence what is wrong
     */
    record Finding(int place, boolean problem, String sentence) {}
}
