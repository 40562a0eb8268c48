package dev.postern.app;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.acceptance.DeliveryLookup;
import dev.postern.agent.PromptText;
import dev.postern.config.Settings;
import dev.postern.console.MappingTrials;
import dev.postern.ingress.Explanation;
import dev.postern.ingress.ExplanationJson;
import dev.postern.model.AllowedAction;
import dev.postern.model.HookRequest;
import dev.postern.policy.PolicyDecision;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A runner of the console's mapping trials and of the previews of replays, with mappings and scripts of its own: a script
 * that fails too often there is not switched off for the hooks. They are compiled at the first trial.
 */
final class MappingTrialRunner implements MappingTrials, AutoCloseable {

    private final Settings settings;
    private final DeliveryLookup deliveryLookup;
    private @Nullable DryRunServices dryRun;

    MappingTrialRunner(Settings settings, DeliveryLookup deliveryLookup) {
        this.settings = settings;
        this.deliveryLookup = deliveryLookup;
    }

    @Override
    public TrialResult of(TrialRequest trialRequest) {
        DryRunServices run;
        try {
            run = dryRun();
        } catch (StartException changed) { // the files did compile when Postern started
            return new TrialResult(broken(changed), List.of());
        }
        HookRequest request = run.request(
                trialRequest.hook(),
                trialRequest.payload().getBytes(StandardCharsets.UTF_8),
                trialRequest.headers(),
                trialRequest.query(),
                null);
        run.preview().explain(request); // so that the shown time is not that of loading classes and scripts
        Explanation explanation = run.preview().explain(request);
        List<String> messages = explanation.decisions().stream()
                .map(Explanation.Decided::decision)
                .filter(PolicyDecision.Allowed.class::isInstance)
                .map(policyDecision -> message(((PolicyDecision.Allowed) policyDecision).action()))
                .toList();
        return new TrialResult(ExplanationJson.of(explanation), messages);
    }

    /** Explains {@code request}; empty if the files of the mappings have changed, and can't be compiled any more. */
    Optional<Explanation> explain(HookRequest request) {
        try {
            return Optional.of(dryRun().preview().explain(request));
        } catch (StartException changed) {
            return Optional.empty();
        }
    }

    private synchronized DryRunServices dryRun() throws StartException {
        @Nullable DryRunServices made = dryRun;
        if (made == null) {
            made = DryRunServices.of(settings, deliveryLookup, "console");
            dryRun = made;
        }
        return made;
    }

    private static ObjectNode broken(StartException changed) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("status", 500)
                .put("error", "The files of the mappings have changed, and can't be compiled any more.")
                .put("code", "mapping_failed")
                .put("detail", String.join("\n", changed.report().problems()))
                .put("micros", 0);
    }

    private static String message(AllowedAction action) {
        if (action instanceof AllowedAction.DirectDelivery delivery) {
            return delivery.text();
        }
        PromptText text = action instanceof AllowedAction.Turn turn
                ? PromptText.of(
                        turn.provenance(),
                        turn.message(),
                        turn.operatorInstructions().instructions())
                : new PromptText.Builder()
                        .addExternalText(action.provenance(), ((AllowedAction.Wake) action).text())
                        .build();
        return text.text();
    }

    @Override
    public synchronized void close() {
        if (dryRun != null) {
            dryRun.close();
        }
    }
}
