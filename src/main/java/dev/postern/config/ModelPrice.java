package dev.postern.config;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * A price of a model's tokens, in a currency that only the operator knows.
 *
 * @param input the price of a million tokens that the model reads, 0 or more
 * @param output the price of a million tokens that the model writes, 0 or more
 */
public record ModelPrice(BigDecimal input, BigDecimal output) {

    /**
     * The cost of one turn's tokens, in millionths of the currency's unit, rounded half up.
     *
     * @param inputTokens 0 or more
     * @param outputTokens 0 or more
     */
    public long costMillionths(long inputTokens, long outputTokens) {
        return input.multiply(BigDecimal.valueOf(inputTokens))
                .add(output.multiply(BigDecimal.valueOf(outputTokens)))
                .setScale(0, RoundingMode.HALF_UP)
                .longValueExact();
    }
}
