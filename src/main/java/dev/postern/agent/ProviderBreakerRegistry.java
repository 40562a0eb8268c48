package dev.postern.agent;

import dev.postern.agent.ProviderBreaker.Outage;
import dev.postern.config.Settings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/** A registry of the circuit breakers of this node, one for each configured provider. */
public final class ProviderBreakerRegistry {

    private final Map<String, ProviderBreaker> byProvider;

    /**
     * @param retryFor the time for which runs wait for a provider that is down; with zero, no breaker opens
     * @param listener takes each outage with the provider's id as it begins; it must not block
     * @param nanos as {@link System#nanoTime}
     */
    public ProviderBreakerRegistry(
            Map<String, Settings.Provider> providers,
            Duration retryFor,
            BiConsumer<String, Outage> listener,
            InstantSource clock,
            LongSupplier nanos) {
        Map<String, ProviderBreaker> breakers = new LinkedHashMap<>();
        for (String id : providers.keySet()) {
            breakers.put(
                    id,
                    new ProviderBreaker(id, !retryFor.isZero(), outage -> listener.accept(id, outage), clock, nanos));
        }
        this.byProvider = Collections.unmodifiableMap(breakers);
    }

    /** The breaker of {@code provider}, which is configured. */
    public ProviderBreaker of(Settings.Provider provider) {
        return Objects.requireNonNull(byProvider.get(provider.id()), "the provider is configured");
    }

    /** The breakers by provider id, in the order of the configuration. */
    public Map<String, ProviderBreaker> all() {
        return byProvider;
    }
}
