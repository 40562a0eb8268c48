package dev.postern.budget;

/**
 * A key of what is added up. Each of its names is one of a configuration, so that senders can't add keys without end.
 *
 * @param kind {@code run} or {@code heartbeat}
 * @param hook the path of a configured hook; empty for any other, and for a heartbeat
 * @param sender the id of a sender; empty for any other credential, and for a heartbeat
 * @param agent the id of an agent
 * @param model {@code <provider>/<model>}; {@code <provider>/*} for a model that no setting names, and {@code *} for one without
 *     a configured provider
 */
public record SpendingKey(String kind, String hook, String sender, String agent, String model) {

    static final String RUN = "run";
    static final String HEARTBEAT = "heartbeat";
}
