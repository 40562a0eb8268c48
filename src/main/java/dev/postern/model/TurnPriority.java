package dev.postern.model;

import java.util.Arrays;
import java.util.List;

/**
 * The priority of a hook's turns while workers are scarce. It orders nothing within a session, and no priority starves
 * another: while turns of all three wait, four of {@link #HIGH} begin for two of {@link #NORMAL} and one of {@link #LOW}.
 */
public enum TurnPriority {
    HIGH("high", 0, 1),
    NORMAL("normal", 1, 2),
    LOW("low", 2, 4);

    private final String wire;
    private final int rank;
    private final int stride;

    TurnPriority(String wire, int rank, int stride) {
        this.wire = wire;
        this.rank = rank;
        this.stride = stride;
    }

    /** The value as settings spell it. */
    public String wire() {
        return wire;
    }

    /** The number by which it is stored: 0 for the highest. */
    public int rank() {
        return rank;
    }

    /** The priority with {@code rank}; {@link #NORMAL} where no priority has it. */
    public static TurnPriority ofRank(int rank) {
        return Arrays.stream(values())
                .filter(priority -> priority.rank == rank)
                .findFirst()
                .orElse(NORMAL);
    }

    /** The inverse of its share of the turns: of two priorities, the one with half the stride gets twice the turns. */
    public int stride() {
        return stride;
    }

    /** The values of a setting, the highest first. */
    public static List<String> wires() {
        return Arrays.stream(values()).map(TurnPriority::wire).toList();
    }

    /**
     * The priority spelled exactly {@code wire}.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static TurnPriority of(String wire) {
        return Arrays.stream(values())
                .filter(priority -> priority.wire.equals(wire))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no priority is spelled like that"));
    }
}
