package dev.postern.requests;

import dev.postern.config.MappingSettings;
import dev.postern.config.Settings;
import dev.postern.config.Settings.KeptPayloads;
import dev.postern.model.HookRequest;
import dev.postern.model.RequestOrigin;
import dev.postern.model.SealedPayload;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A sealer that encrypts the payloads that the operator wants to keep, and no others. Safe for use by many threads. */
public final class PayloadSealer {

    private final KeptPayloads usual;
    private final Map<String, KeptPayloads> byMapping;
    private final @Nullable PayloadCipher cipher;

    private PayloadSealer(KeptPayloads usual, Map<String, KeptPayloads> byMapping, @Nullable PayloadCipher cipher) {
        this.usual = usual;
        this.byMapping = Map.copyOf(byMapping);
        this.cipher = cipher;
    }

    /**
     * The sealer that {@code settings} ask for.
     *
     * @param cipher null only if {@link #isNeeded} is false for {@code settings}
     */
    public static PayloadSealer of(Settings settings, @Nullable PayloadCipher cipher) {
        Map<String, KeptPayloads> byMapping = new HashMap<>();
        for (MappingSettings mapping : settings.hooks().mappings()) {
            if (mapping.payload().kept() != null) {
                byMapping.put(mapping.id(), mapping.payload().kept());
            }
        }
        return new PayloadSealer(settings.requests().payloads(), byMapping, cipher);
    }

    /** Whether {@code settings} keep payloads of any mapping. */
    public static boolean isNeeded(Settings settings) {
        return settings.requests().payloads() != KeptPayloads.NONE
                || settings.hooks().mappings().stream()
                        .anyMatch(mapping -> mapping.payload().kept() != null
                                && mapping.payload().kept() != KeptPayloads.NONE);
    }

    /**
     * Encrypts the payload of {@code request} if it is to be kept. That of a replay is kept with its origin already.
     *
     * @param mapping the id of the mapping that took it; empty if none did, or none was needed
     * @param failed whether the response is an error
     * @return null if the payload is not kept
     */
    @Nullable
    SealedPayload seal(HookRequest request, String mapping, boolean failed) {
        RequestOrigin origin = request.origin();
        KeptPayloads kept = byMapping.getOrDefault(mapping, usual);
        boolean wanted = kept == KeptPayloads.ALL || (kept == KeptPayloads.FAILED && failed);
        return cipher == null || origin == null || origin.replayOf() != null || !wanted
                ? null
                : cipher.seal(origin.requestId(), KeptPayload.of(request).bytes());
    }
}
