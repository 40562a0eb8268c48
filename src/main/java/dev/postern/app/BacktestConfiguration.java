package dev.postern.app;

import dev.postern.acceptance.DeliveryLookup;
import dev.postern.config.HookSettings;
import dev.postern.config.Settings;
import dev.postern.ingress.Explanation;
import dev.postern.ingress.RequestPreview;
import dev.postern.mapping.HookRegistry;
import dev.postern.mapping.MappingResult;
import dev.postern.mapping.script.ScriptRegistry;
import dev.postern.model.ErrorCode;
import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import dev.postern.model.IdGenerator;
import dev.postern.model.NearestName;
import dev.postern.model.Rejection;
import dev.postern.policy.Policy;
import dev.postern.requests.Backtest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A configuration that takes past requests in a backtest, with mappings and scripts of its own. Its clock stands at the
 * arrival of the request. For one thread at a time, beside those of its scripts.
 */
final class BacktestConfiguration implements Backtest.Side, AutoCloseable {

    private final HookSettings hooks;
    private final ScriptRegistry scriptRegistry;
    private final RequestPreview preview;
    private volatile Instant arrival = Instant.EPOCH;

    private BacktestConfiguration(Settings settings, DeliveryLookup deliveryLookup) throws StartException {
        this.hooks = settings.hooks();
        InstantSource clock = () -> arrival;
        this.scriptRegistry = ScriptRegistry.forTrials(hooks.transformsRoot(), "postern-backtest", clock);
        boolean compiled = false;
        try {
            HookRegistry mappings = CompiledMappingFactory.usable(
                    HookRegistry.compile(hooks.mappings(), hooks.withheldHeaders(), scriptRegistry));
            Policy policy = new Policy(settings, new IdGenerator(clock), ConfiguredRecipientForms.of(settings));
            this.preview = new RequestPreview(mappings, policy, deliveryLookup, clock);
            compiled = true;
        } finally {
            if (!compiled) {
                scriptRegistry.close();
            }
        }
    }

    /**
     * Compiles the mappings of {@code settings}.
     *
     * @param deliveryLookup a lookup in the database whose requests are tested
     * @throws StartException if a mapping can't be compiled
     */
    static BacktestConfiguration of(Settings settings, DeliveryLookup deliveryLookup) throws StartException {
        return new BacktestConfiguration(settings, deliveryLookup);
    }

    /** Compiles the mappings of {@code settings}; null without settings. */
    static @Nullable BacktestConfiguration ofNullable(@Nullable Settings settings, DeliveryLookup deliveryLookup)
            throws StartException {
        return settings == null ? null : of(settings, deliveryLookup);
    }

    /**
     * Why a backtest can't be limited to {@code mapping}: no side has it. Empty if one has, or there is no limit.
     *
     * @param mapping the id of a mapping; null for no limit
     */
    static List<String> mappingProblems(
            @Nullable String mapping, BacktestConfiguration running, @Nullable BacktestConfiguration other) {
        List<String> known = new ArrayList<>(running.mappings());
        if (other != null) {
            known.addAll(other.mappings());
        }
        if (mapping == null || known.contains(mapping)) {
            return List.of();
        }
        return List.of("mapping is [" + mapping + "], which is the id of no mapping"
                + NearestName.of(mapping, known)
                        .map(near -> "; did you mean " + near + "?")
                        .orElse(""));
    }

    private List<String> mappings() {
        return hooks.mappings().stream().map(each -> each.id()).toList();
    }

    @Override
    public Explanation explain(HookRequest request) {
        arrival = request.receivedAt();
        return rejection(request).orElseGet(() -> preview.explain(request));
    }

    /** The rejection of a request before it is mapped. */
    private Optional<Explanation> rejection(HookRequest request) {
        if (!hooks.enabled()) {
            return Optional.of(explanation(MappingResult.of(new HookResult.NoSuchHook())));
        }
        int most = hooks.bodies().maxBytes(request.hook());
        return request.body().length <= most
                ? Optional.empty()
                : Optional.of(explanation(MappingResult.rejected(new Rejection(
                        ErrorCode.PAYLOAD_TOO_LARGE, null, "The body is longer than " + most + " bytes."))));
    }

    private static Explanation explanation(MappingResult result) {
        return new Explanation(List.of(), List.of(), result, false, List.of(), Duration.ZERO);
    }

    @Override
    public void close() {
        scriptRegistry.close();
    }
}
