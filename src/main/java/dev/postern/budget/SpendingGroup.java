package dev.postern.budget;

/**
 * A group of turns that have one name in a {@link SpendingDimension}.
 *
 * @param name the hook, sender, agent, provider or model; empty for turns that have none
 * @param heartbeats true for the heartbeats among the hooks
 */
public record SpendingGroup(String name, boolean heartbeats) {}
