package dev.postern.requests;

import dev.postern.model.HookRequest;
import dev.postern.model.SealedPayload;
import java.util.Objects;

/** The payloads of benchmarks, which are all kept. */
public final class PayloadBench {

    private final PayloadCipher cipher = new PayloadCipher(new byte[PayloadCipher.KEY_BYTES]);

    /** Encrypts the payload of {@code request}. */
    public SealedPayload seal(HookRequest request) {
        return cipher.seal(
                Objects.requireNonNull(request.origin()).requestId(),
                KeptPayload.of(request).bytes());
    }
}
