package dev.postern.model;

import java.util.List;

/** How much a model thinks before it answers. */
public final class ThinkingLevels {

    /** The levels that every model is asked for in one way or another, from none to much; a provider may name more. */
    public static final List<String> LEVELS = List.of("off", "minimal", "low", "medium", "high");

    private ThinkingLevels() {}
}
