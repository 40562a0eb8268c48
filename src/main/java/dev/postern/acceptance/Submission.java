package dev.postern.acceptance;

import dev.postern.model.AllowedAction;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one request asks for, to be accepted as a whole or not at all.
 *
 * @param actions one or more
 * @param idempotency null when the sender names none
 * @param bodyBytes the raw body's size
 * @param bodySha256 the raw body's SHA-256 in hex, for the operator
 * @param advance the bookmark that moves with it, where Postern itself has read it; else null
 */
public record Submission(
        List<AllowedAction> actions,
        @Nullable IdempotencyKey idempotency,
        int bodyBytes,
        String bodySha256,
        @Nullable CursorUpdate advance) {

    public Submission {
        actions = List.copyOf(actions);
        if (actions.isEmpty()) {
            throw new IllegalArgumentException("a submission holds at least one action");
        }
    }

    /** The same with the hash as it was computed. */
    public Submission(
            List<AllowedAction> actions,
            @Nullable IdempotencyKey idempotency,
            int bodyBytes,
            byte[] bodySha256,
            @Nullable CursorUpdate advance) {
        this(actions, idempotency, bodyBytes, HexFormat.of().formatHex(bodySha256), advance);
    }
}
