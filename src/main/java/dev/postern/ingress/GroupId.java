package dev.postern.ingress;

import dev.postern.mapping.MappingResult;
import dev.postern.model.AllowedAction;
import dev.postern.model.HookAction;
import dev.postern.model.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A hash of everything that the requests of one group share: mapping, key and sender, and all of their action but its text. A
 * request that differs in one of these is of another group.
 */
final class GroupId {

    private final MessageDigest digest = Sha256.digest();

    private GroupId() {}

    /**
     * The id of the group of {@code group} to which a request belongs.
     *
     * @param mapping the id of the mapping that took the request
     * @param sender the id of the sender whose own token admitted the request; null for any other credential
     * @param asked the action before policy, which knows whether it names a session key or gets one of its own
     * @param allowed the same action after policy
     */
    static String of(
            MappingResult.Group group,
            String mapping,
            @Nullable String sender,
            HookAction asked,
            AllowedAction allowed) {
        GroupId id = new GroupId();
        id.add(mapping).add(group.key()).add(sender).add(group.rule().latestOnly());
        id.add(allowed.provenance().hook()).add(allowed.provenance().trusted());
        if (allowed instanceof AllowedAction.DirectDelivery delivery) {
            id.add("delivery")
                    .add(delivery.recipient().channel())
                    .add(delivery.recipient().to());
        } else if (allowed instanceof AllowedAction.Wake wake) {
            id.add(wake.agentId()).add(wake.mode());
        } else if (allowed instanceof AllowedAction.Turn turn) {
            id.add(turn.agentId())
                    .add(asked.<@Nullable String>match(
                            wake -> null, HookAction.AgentTurn::sessionKey, delivery -> null))
                    .add(turn.name())
                    .add(turn.wakeMode())
                    .add(turn.deliver())
                    .add(turn.recipient().channel())
                    .add(turn.recipient().to())
                    .add(turn.model())
                    .add(turn.thinking())
                    .add(turn.timeout())
                    .add(turn.operatorInstructions().instructions())
                    .add(turn.operatorInstructions().priority())
                    .add(turn.operatorInstructions().tools().orElse(null))
                    .add(turn.operatorInstructions().fallbacks().orElse(null))
                    .add(turn.operatorInstructions().approve());
        }
        return HexFormat.of().formatHex(id.digest.digest());
    }

    /** Adds a value with its length, so that two lists of values have one hash only if they are equal. */
    private GroupId add(@Nullable Object value) {
        byte[] bytes = value == null ? new byte[0] : value.toString().getBytes(StandardCharsets.UTF_8);
        digest.update(
                ByteBuffer.allocate(4).putInt(value == null ? -1 : bytes.length).array());
        digest.update(bytes);
        return this;
    }

    private GroupId add(@Nullable List<String> values) {
        add(values == null ? null : (Object) values.size());
        if (values != null) {
            values.forEach(this::add);
        }
        return this;
    }
}
