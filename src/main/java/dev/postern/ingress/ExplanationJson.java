package dev.postern.ingress;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.mapping.HookRegistry.Considered;
import dev.postern.mapping.MappingResult;
import dev.postern.model.AllowedAction;
import dev.postern.model.HookAction;
import dev.postern.model.HookResult;
import dev.postern.model.Recipient;
import dev.postern.model.Rejection;
import dev.postern.model.TurnPriority;
import dev.postern.model.WakeMode;
import dev.postern.policy.PolicyDecision;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JSON form of an explanation, for an operator. Absent values and defaults are left out. */
public final class ExplanationJson {

    private static final String UNATTRIBUTED =
            "The event carries the mark of a delivery, and the database can't be asked"
                    + " whether it has that delivery. If it does not, the reason is other_postern.";

    private ExplanationJson() {}

    /**
     * Writes an explanation as JSON. {@code status} is the status of the response, provided that the database accepts
     * the request. {@code code} is the reason of a request that asks for nothing. {@code mapping} is the mapping that took the payload, {@code passedOver} those before it.
     * {@code actions} are the actions that it asks for, {@code policy} the decision on each. {@code missing} are the positions of
     * its templates that had no value.
     */
    public static ObjectNode of(Explanation explanation) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("status", 0);
        ArrayNode passedOver = JsonNodeFactory.instance.arrayNode();
        for (Considered considered : explanation.considered()) {
            if (considered.obstacle() == null) {
                json.put("mapping", considered.id()).put("where", considered.where());
            } else {
                passedOver.addObject().put("mapping", considered.id()).put("because", considered.obstacle());
            }
        }
        if (!passedOver.isEmpty()) {
            json.set("passedOver", passedOver);
        }
        json.put("status", status(explanation, json));
        if (!explanation.missing().isEmpty()) {
            ArrayNode missing = json.putArray("missing");
            explanation.missing().forEach(missing::add);
        }
        if (!explanation.decisions().isEmpty()) {
            ArrayNode policy = json.putArray("policy");
            explanation.decisions().forEach(decided -> policy.add(judged(decided)));
        }
        json.put("micros", explanation.took().toNanos() / 1000);
        return json;
    }

    /**
     * Writes the actions that a payload asks for, or the reason why there are none, and returns the status of the
     * response.
     */
    private static int status(Explanation explanation, ObjectNode json) {
        if (explanation.mapped() instanceof MappingResult.Final last) {
            int status = status(last.result(), json);
            if (explanation.isUnattributed()) {
                json.put("detail", UNATTRIBUTED);
            }
            return status;
        }
        MappingResult.Actions asked = (MappingResult.Actions) explanation.mapped();
        ArrayNode actions = json.putArray("actions");
        asked.actions()
                .forEach(action -> actions.add(
                        action.match(ExplanationJson::wake, ExplanationJson::turn, ExplanationJson::delivery)));
        put(json, "idempotencyKey", asked.idempotencyKey());
        if (asked.group() != null) {
            json.set("coalesce", group(asked.group()));
        }
        return explanation.decisions().stream()
                .map(Explanation.Decided::decision)
                .filter(PolicyDecision.Denied.class::isInstance)
                .map(denied ->
                        ((PolicyDecision.Denied) denied).rejection().code().status())
                .findFirst()
                .orElse(successStatus(asked));
    }

    private static int successStatus(MappingResult.Actions asked) {
        if (asked.successStatus() != null) {
            return asked.successStatus();
        }
        return asked.actions().stream().allMatch(HookAction.Wake.class::isInstance) ? 200 : 202;
    }

    private static int status(HookResult result, ObjectNode json) {
        if (result instanceof HookResult.Handshake handshake) {
            json.put("challenge", handshake.challenge());
        }
        if (result instanceof HookResult.Nothing) {
            json.put("code", result.code());
        }
        if (result instanceof HookResult.Accepted) {
            throw new IllegalStateException("a mapping has accepted a request by itself");
        }
        if (result instanceof HookResult.Failure failure) {
            error(json, failure.code(), failure.sentence(), failure.field());
        }
        if (result instanceof HookResult.ScriptFailed failed && !failed.detail().isEmpty()) {
            json.put("detail", failed.detail());
        }
        return result.status();
    }

    private static ObjectNode wake(HookAction.Wake wake) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("action", "wake").put("text", wake.text());
        put(json, "agentId", wake.agentId());
        put(json, "wakeMode", wake.mode());
        return json;
    }

    private static ObjectNode delivery(HookAction.DirectDelivery delivery) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("action", "deliver").put("message", delivery.text()).put("channel", delivery.channel());
        put(json, "to", delivery.to());
        return json;
    }

    private static ObjectNode turn(HookAction.AgentTurn turn) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("action", "agent").put("message", turn.message()).put("name", turn.name());
        put(json, "agentId", turn.agentId());
        put(json, "sessionKey", turn.sessionKey());
        put(json, "wakeMode", turn.wakeMode());
        if (!turn.deliver()) {
            json.put("deliver", false);
        }
        put(json, "channel", turn.channel().equals(Recipient.LAST) ? null : turn.channel());
        put(json, "to", turn.to());
        put(json, "model", turn.model());
        put(json, "thinking", turn.thinking());
        put(json, "timeoutSeconds", turn.timeout());
        put(json, "instructions", turn.operatorInstructions().instructions());
        TurnPriority priority = turn.operatorInstructions().priority();
        put(json, "priority", priority == TurnPriority.NORMAL ? null : priority.wire());
        turn.operatorInstructions().fallbacks().ifPresent(models -> put(json, "fallbacks", models));
        turn.operatorInstructions().tools().ifPresent(tools -> put(json, "tools", tools));
        if (turn.provenance().trusted()) {
            json.put("allowUnsafeExternalContent", true);
        }
        return json;
    }

    private static ObjectNode group(MappingResult.Group group) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("key", group.key())
                .put("windowSeconds", group.rule().window().toMillis() / 1000.0)
                .put("maxWaitSeconds", group.rule().maxWait().toMillis() / 1000.0)
                .put("keep", group.rule().latestOnly() ? "latest" : "all")
                .put("maxItems", group.rule().maxItems());
        return json;
    }

    private static ObjectNode judged(Explanation.Decided decided) {
        PolicyDecision policyDecision = decided.decision();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        if (policyDecision instanceof PolicyDecision.Denied denied) {
            Rejection rejection = denied.rejection();
            error(json, rejection.code().wire(), rejection.sentence(), rejection.field());
            return json;
        }
        AllowedAction action = ((PolicyDecision.Allowed) policyDecision).action();
        if (action instanceof AllowedAction.DirectDelivery delivery) {
            json.put("channel", delivery.recipient().channel());
            put(json, "to", delivery.recipient().to());
        } else if (action instanceof AllowedAction.Wake wake) {
            json.put("agentId", wake.agentId());
        } else if (action instanceof AllowedAction.Turn turn) {
            json.put("agentId", turn.agentId());
            json.put("sessionKey", turn.sessionKey().value()).put("model", turn.model());
            put(json, "thinking", turn.thinking());
            put(json, "timeoutSeconds", turn.timeout());
            putPresent(json, "fallbacks", decided.fallbacks());
            putPresent(json, "budgets", decided.budgets());
        }
        return json;
    }

    private static void error(ObjectNode json, String code, String sentence, @Nullable String field) {
        json.put("error", sentence).put("code", code);
        put(json, "field", field);
    }

    private static void put(ObjectNode json, String name, WakeMode mode) {
        if (mode != WakeMode.NOW) {
            json.put(name, mode.wire());
        }
    }

    private static void put(ObjectNode json, String name, @Nullable String value) {
        if (value != null) {
            json.put(name, value);
        }
    }

    private static void put(ObjectNode json, String name, @Nullable Duration value) {
        if (value != null) {
            json.put(name, value.toMillis() / 1000.0);
        }
    }

    private static void putPresent(ObjectNode json, String name, List<String> values) {
        if (!values.isEmpty()) {
            put(json, name, values);
        }
    }

    private static void put(ObjectNode json, String name, List<String> values) {
        ArrayNode array = json.putArray(name);
        values.forEach(array::add);
    }
}
