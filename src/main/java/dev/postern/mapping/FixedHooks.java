package dev.postern.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.model.HookAction;
import dev.postern.model.HookAction.KeySource;
import dev.postern.model.OperatorInstructions;
import dev.postern.model.Provenance;
import dev.postern.model.Rejection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The two fixed hooks, {@code wake} and {@code agent}. Their payloads name the action themselves. */
final class FixedHooks {

    static final String WAKE = "wake";
    static final String AGENT = "agent";
    static final Set<String> NAMES = Set.of(WAKE, AGENT);

    /** The space of idempotency keys that both hooks share. */
    private static final String KEY_SPACE = "";

    private FixedHooks() {}

    static MappingResult wake(JsonNode payload) {
        PayloadFields in = new PayloadFields(payload);
        return outcome(in, ActionReader.wake(in, Provenance.untrusted(WAKE)));
    }

    static MappingResult agent(JsonNode payload) {
        PayloadFields in = new PayloadFields(payload);
        return outcome(
                in, ActionReader.turn(in, KeySource.REQUEST, Provenance.untrusted(AGENT), OperatorInstructions.NONE));
    }

    private static MappingResult outcome(PayloadFields in, HookAction action) {
        @Nullable String key = in.string("idempotencyKey");
        @Nullable Rejection fault = in.error();
        return fault != null
                ? MappingResult.rejected(fault)
                : new MappingResult.Actions(
                        List.of(action), false, KEY_SPACE, key == null ? null : new MappingResult.Key(key, true), true);
    }
}
