package dev.postern.config;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A budget: how much some turns may use in a rolling window.
 *
 * @param id the id of your choice
 * @param scope the turns that count against it
 * @param unit the unit that is counted
 * @param most the most of it in a window, at least 1; a cost is in millionths
 * @param window the length of the window, at least a second
 * @param whenSpent the treatment of turns, or of requests, while the window is full
 * @param warnAtPercent the share of the limit at which a warning is given, from 1 to 100
 */
public record BudgetSettings(
        String id, Scope scope, Unit unit, long most, Duration window, WhenSpent whenSpent, int warnAtPercent) {

    /** A unit in which a budget counts. */
    public enum Unit {
        RUNS("runs", 0),
        INPUT_TOKENS("inputTokens", 0),
        OUTPUT_TOKENS("outputTokens", 0),
        COST("cost", 6);

        private final String wire;
        private final int decimalPlaces;

        Unit(String wire, int decimalPlaces) {
            this.wire = wire;
            this.decimalPlaces = decimalPlaces;
        }

        /** The number of the last digits of an amount that stand behind the decimal point. */
        public int decimalPlaces() {
            return decimalPlaces;
        }

        /** The value as settings and responses spell it. */
        public String wire() {
            return wire;
        }
    }

    /** The treatment of turns while a budget's window is full. */
    public enum WhenSpent {
        /** Turns wait until the window has room. */
        HOLD,
        /** Requests are rejected; turns of requests that were accepted before wait. */
        REFUSE,
        /** Runs fail, with an error that names the budget. Heartbeats wait. */
        FAIL;

        /** The value as settings and responses spell it. */
        public String wire() {
            return name().toLowerCase(Locale.ROOT);
        }

        static WhenSpent of(String wire) {
            return valueOf(wire.toUpperCase(Locale.ROOT));
        }
    }

    /** Whether a turn counts against it, as {@link Scope#covers} says. */
    public boolean covers(@Nullable String hook, @Nullable String sender, String agent, String model) {
        return scope.covers(hook, sender, agent, model);
    }

    /**
     * The turns that count against a budget: those with all of these properties. Without any, all turns count.
     *
     * @param hook the path below the hook prefix; null for any turn, heartbeats included
     * @param sender the id of the sender whose own token admitted the request; null for any turn, heartbeats included
     * @param agent the id of the agent that takes the turn; null for any
     * @param model the configured provider and its model, {@code <provider>/<model>}; null for any
     * @param provider the id of the model's provider; null for any
     */
    public record Scope(
            @Nullable String hook,
            @Nullable String sender,
            @Nullable String agent,
            @Nullable String model,
            @Nullable String provider) {

        /**
         * Whether a turn counts.
         *
         * @param hook null for a heartbeat
         * @param sender null for any other credential, and for a heartbeat
         * @param model {@code <provider>/<model>}
         */
        public boolean covers(@Nullable String hook, @Nullable String sender, String agent, String model) {
            return isAnyOr(this.hook, hook)
                    && isAnyOr(this.sender, sender)
                    && isAnyOr(this.agent, agent)
                    && isAnyOr(this.model, model)
                    && isAnyOr(provider, model.split("/", 2)[0]);
        }

        private static boolean isAnyOr(@Nullable String wanted, @Nullable String given) {
            return wanted == null || wanted.equals(given);
        }
    }
}
