package dev.postern.model;

import java.util.List;

/** The levels of how much a model thinks before it replies. */
public final class ThinkingLevels {

    /** The levels that can be asked of every model in some form, from none to much; a provider may name more. */
    public static final List<String> LEVELS = List.of("off", "minimal", "low", "medium", "high");

    private ThinkingLevels() {}
}
