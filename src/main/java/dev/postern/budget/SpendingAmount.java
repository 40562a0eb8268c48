package dev.postern.budget;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * An amount that turns have used.
 *
 * @param turns the number of turns
 * @param inputTokens as far as providers count them
 * @param outputTokens likewise
 * @param costMillionths the cost in millionths of the operator's currency, at the prices of the time; null if none had a price
 */
public record SpendingAmount(long turns, long inputTokens, long outputTokens, @Nullable Long costMillionths) {

    private static final int PLACES = 6;

    /** Nothing. */
    public static final SpendingAmount NONE = new SpendingAmount(0, 0, 0, null);

    /** The input and output tokens together. */
    public long tokens() {
        return inputTokens + outputTokens;
    }

    /** The cost in the operator's currency, without trailing zeros; null if nothing had a price. */
    public @Nullable BigDecimal cost() {
        if (costMillionths == null) {
            return null;
        }
        BigDecimal cost = BigDecimal.valueOf(costMillionths, PLACES).stripTrailingZeros();
        return cost.scale() < 0 ? cost.setScale(0) : cost;
    }

    /** The sum of both. */
    public SpendingAmount plus(SpendingAmount more) {
        @Nullable Long cost = costMillionths;
        if (more.costMillionths != null) {
            cost = (cost == null ? 0 : cost) + more.costMillionths;
        }
        return new SpendingAmount(
                turns + more.turns, inputTokens + more.inputTokens, outputTokens + more.outputTokens, cost);
    }
}
