package dev.postern.requests;

import dev.postern.model.IdGenerator;
import dev.postern.model.SealedPayload;
import dev.postern.store.StoreException;
import dev.postern.store.StoreReader;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The read-only queries for the payloads that are kept. Their results are for operators alone. */
public final class PayloadQueries {

    private final StoreReader store;
    private final @Nullable PayloadCipher cipher;
    private final Duration keep;
    private final InstantSource clock;

    /**
     * @param cipher null if there is no key, because no payload was ever kept
     * @param keep how long a payload is kept, counted from its request's arrival
     */
    public PayloadQueries(StoreReader store, @Nullable PayloadCipher cipher, Duration keep, InstantSource clock) {
        this.store = store;
        this.cipher = cipher;
        this.keep = keep;
        this.clock = clock;
    }

    /** The result of a search for a payload: exactly one of these. */
    public sealed interface PayloadResult {

        /** The payload. */
        record Found(KeptPayload payload) implements PayloadResult {}

        /** No payload of the request is kept, or no longer. */
        record NotKept() implements PayloadResult {}

        /**
         * The payload can't be decrypted here.
         *
         * @param sentence the reason and what to do about it
         */
        record Undecipherable(String sentence) implements PayloadResult {}
    }

    /** The payload of the request {@code requestId}. */
    public PayloadResult find(String requestId) throws StoreException {
        if (requestId.compareTo(
                        IdGenerator.lowest(RequestTable.PREFIX, clock.instant().minus(keep)))
                < 0) {
            return new PayloadResult.NotKept();
        }
        Optional<SealedPayload> kept = store.read(sql -> PayloadTable.find(sql, requestId));
        if (kept.isEmpty()) {
            return new PayloadResult.NotKept();
        }
        SealedPayload sealed = kept.get();
        Optional<byte[]> opened = cipher == null ? Optional.empty() : cipher.open(requestId, sealed);
        return opened.<PayloadResult>map(bytes -> new PayloadResult.Found(KeptPayload.read(bytes)))
                .orElseGet(() -> new PayloadResult.Undecipherable(reason(sealed)));
    }

    /** The id of a key other than this node's, with which one of the latest payloads is encrypted. */
    public Optional<String> otherKey() throws StoreException {
        String own = cipher == null ? "" : cipher.keyId();
        return store.read(PayloadTable::latestKeys).stream()
                .filter(key -> !key.equals(own))
                .findFirst();
    }

    private String reason(SealedPayload sealed) {
        return cipher != null && cipher.keyId().equals(sealed.keyId())
                ? "The payload was changed in the database, so it can't be decrypted."
                : "The payload was encrypted with another key (" + sealed.keyId()
                        + "). Put that key into secrets/payload-key and restart.";
    }
}
