package dev.postern.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.model.HookAction;
import dev.postern.model.HookAction.KeySource;
import dev.postern.model.Provenance;
import dev.postern.model.Recipient;
import dev.postern.model.Rejection;
import dev.postern.model.WakeMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every hook there is: {@code wake} and {@code agent}, whose payloads say themselves what they ask for. */
public final class Mappings {

    private static final String MODES = "now or next-heartbeat";

    /** What {@code arrival} asks for. */
    public Mapped map(Arrival arrival) {
        return switch (arrival.hook()) {
            case "wake" -> wake(arrival.payload());
            case "agent" -> agent(arrival.payload());
            default -> new Mapped.NoSuchHook();
        };
    }

    private static Mapped wake(JsonNode payload) {
        Fields in = new Fields(payload);
        String text = in.required("text");
        WakeMode mode = in.choice("mode", WakeMode::of, WakeMode.NOW, MODES);
        return outcome(in, new HookAction.Wake(text, mode, Provenance.untrusted("wake")));
    }

    private static Mapped agent(JsonNode payload) {
        Fields in = new Fields(payload);
        String message = in.required("message");
        @Nullable String name = in.optional("name");
        @Nullable String channel = in.optional("channel");
        HookAction.AgentTurn turn = new HookAction.AgentTurn(
                message,
                name == null ? "Hook" : name,
                in.optional("agentId"),
                in.optional("sessionKey"),
                KeySource.REQUEST,
                in.choice("wakeMode", WakeMode::of, WakeMode.NOW, MODES),
                in.flag("deliver", true),
                channel == null ? Recipient.LAST : channel,
                in.optional("to"),
                in.optional("model"),
                in.optional("thinking"),
                in.seconds("timeoutSeconds"),
                Provenance.untrusted("agent"));
        return outcome(in, turn);
    }

    private static Mapped outcome(Fields in, HookAction action) {
        @Nullable String key = in.string("idempotencyKey");
        @Nullable Rejection fault = in.fault();
        return fault != null ? new Mapped.Unfit(fault) : new Mapped.Actions(List.of(action), key);
    }
}
