package dev.postern.mapping;

import dev.postern.model.HookAction;
import dev.postern.model.HookAction.KeySource;
import dev.postern.model.OperatorInstructions;
import dev.postern.model.Provenance;
import dev.postern.model.Recipient;
import dev.postern.model.WakeMode;
import org.jspecify.annotations.Nullable;

/** A reader that makes a wake, an agent turn or a delivery from the fields of a request or of a mapping. */
final class ActionReader {

    private static final String MODES = "now or next-heartbeat";

    private ActionReader() {}

    /** Reads a wake. The result is meaningless if {@code in} holds an error. */
    static HookAction wake(PayloadFields in, Provenance provenance) {
        String text = in.required("text");
        WakeMode mode = in.choice("mode", WakeMode::of, WakeMode.NOW, MODES);
        return new HookAction.Wake(text, mode, in.optional("agentId"), provenance);
    }

    /** Reads a delivery without an agent. The result is meaningless if {@code in} holds an error. */
    static HookAction delivery(PayloadFields in, Provenance provenance) {
        String text = in.required("message");
        @Nullable String channel = in.optional("channel");
        return new HookAction.DirectDelivery(
                text, channel == null ? Recipient.LAST : channel, in.optional("to"), provenance);
    }

    /** Reads an agent turn. The result is meaningless if {@code in} holds an error. */
    static HookAction turn(
            PayloadFields in, KeySource keySource, Provenance provenance, OperatorInstructions operatorInstructions) {
        String message = in.required("message");
        @Nullable String name = in.optional("name");
        @Nullable String channel = in.optional("channel");
        return new HookAction.AgentTurn(
                message,
                /* name= */ name == null ? "Hook" : name,
                /* agentId= */ in.optional("agentId"),
                /* sessionKey= */ in.optional("sessionKey"),
                /* sessionKeySource= */ keySource,
                /* wakeMode= */ in.choice("wakeMode", WakeMode::of, WakeMode.NOW, MODES),
                /* deliver= */ in.flag("deliver", true),
                /* channel= */ channel == null ? Recipient.LAST : channel,
                /* to= */ in.optional("to"),
                /* model= */ in.optional("model"),
                /* thinking= */ in.optional("thinking"),
                /* timeout= */ in.seconds("timeoutSeconds"),
                provenance,
                operatorInstructions);
    }
}
