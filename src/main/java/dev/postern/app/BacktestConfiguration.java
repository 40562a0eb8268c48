package dev.postern.app;

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
import dev.postern.model.Rejection;
import dev.postern.policy.Policy;
import dev.postern.requests.Backtest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
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

    private BacktestConfiguration(Settings settings) throws StartException {
        this.hooks = settings.hooks();
        InstantSource clock = () -> arrival;
        this.scriptRegistry = ScriptRegistry.forTrials(hooks.transformsRoot(), "postern-backtest", clock);
        boolean compiled = false;
        try {
            HookRegistry mappings =
                    CompiledMappingFactory.usable(HookRegistry.compile(hooks.mappings(), scriptRegistry));
            Policy policy = new Policy(settings, new IdGenerator(clock), ConfiguredRecipientForms.of(settings));
            this.preview = new RequestPreview(mappings, policy, clock);
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
     * @throws StartException if a mapping can't be compiled
     */
    static BacktestConfiguration of(Settings settings) throws StartException {
        return new BacktestConfiguration(settings);
    }

    /** Compiles the mappings of {@code settings}; null without settings. */
    static @Nullable BacktestConfiguration ofNullable(@Nullable Settings settings) throws StartException {
        return settings == null ? null : of(settings);
    }

    /** Whether a mapping has the id {@code mapping}. */
    boolean has(String mapping) {
        return hooks.mappings().stream().anyMatch(each -> each.id().equals(mapping));
    }

    /** The ids of the mappings. */
    List<String> mappings() {
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
        return new Explanation(List.of(), result, List.of(), Duration.ZERO);
    }

    @Override
    public void close() {
        scriptRegistry.close();
    }
}
