package dev.postern.http;

import dev.postern.access.SignatureError;
import dev.postern.access.SignatureResult;
import dev.postern.model.ErrorCode;
import dev.postern.model.HookResult;
import dev.postern.model.Receipt;
import dev.postern.model.RequestLogEntry;
import dev.postern.observe.RequestLog;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.core.Response;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** A recorder of the responses that were sent. It counts them by code, and logs those of hooks with their requests. */
public final class ResponseRecorder {

    private static final System.Logger LOG = System.getLogger(ResponseRecorder.class.getName());

    private final Map<ErrorCode, LongAdder> errors = new EnumMap<>(ErrorCode.class);
    private final Map<SignatureError, LongAdder> signatureErrors = new EnumMap<>(SignatureError.class);
    private final LongAdder unadmitted = new LongAdder();
    private final LongAdder wakes = new LongAdder();
    private final LongAdder turns = new LongAdder();
    private final LongAdder deliveries = new LongAdder();
    private final LogDeduplicator scriptFaults = new LogDeduplicator(System::nanoTime);
    private final RequestLog log;
    private final InstantSource clock;

    /**
     * Creates a recorder whose counts are zero.
     *
     * @param log keeps the latest requests
     */
    public ResponseRecorder(RequestLog log, InstantSource clock) {
        this.log = log;
        this.clock = clock;
        for (ErrorCode code : ErrorCode.values()) {
            errors.put(code, new LongAdder());
        }
        for (SignatureError error : SignatureError.values()) {
            signatureErrors.put(error, new LongAdder());
        }
    }

    void recordError(FixedErrorResponse fixedErrorResponse) {
        recordError(fixedErrorResponse.code());
    }

    /** Counts an error response, and logs it if the request was for a hook. */
    void recordError(FixedErrorResponse fixedErrorResponse, HttpServletRequest request) {
        recordError(fixedErrorResponse);
        RequestStart.find(request).ifPresent(start -> {
            if (start.origin() != null) {
                log.addAdmitted(entry(start, fixedErrorResponse));
            } else {
                unadmitted.increment();
                if (log.keepsUnadmitted()) {
                    log.addUnadmitted(entry(start, fixedErrorResponse));
                }
            }
        });
    }

    private RequestLogEntry entry(RequestStart start, FixedErrorResponse fixedErrorResponse) {
        ErrorCode code = fixedErrorResponse.code();
        return start.answered(clock.instant(), code.status(), code.wire(), fixedErrorResponse.sentence());
    }

    /** Logs a failed script; the same failure only once in a while. */
    void recordScriptFailure(HookResult.ScriptFailed failed, HttpServletRequest request) {
        LOG.log(
                scriptFaults.isNew(failed.sentence()) ? Level.WARNING : Level.DEBUG,
                failed.sentence() + " Request: " + RequestStart.label(request));
    }

    /** Adds the response to an admitted request that ended in an exception to the request log. */
    void recordFailure(HttpServletRequest request, Response response) {
        RequestStart start = RequestStart.of(request);
        if (start.origin() != null && response.getEntity() instanceof ErrorBody error) {
            log.addAdmitted(start.answered(clock.instant(), response.getStatus(), error.code(), error.error()));
        }
    }

    void recordError(ErrorCode code) {
        count(code).increment();
    }

    /** Counts an invalid signature, and keeps its detail for the request log. */
    void recordSignature(SignatureResult.Invalid invalid, HttpServletRequest request) {
        Objects.requireNonNull(signatureErrors.get(invalid.error())).increment();
        RequestStart.explain(request, invalid.detail());
    }

    void accepted(Receipt receipt) {
        if (receipt instanceof Receipt.Event) {
            wakes.increment();
        } else if (receipt instanceof Receipt.Delivery) {
            deliveries.increment();
        } else {
            turns.increment();
        }
    }

    /** The number of responses with {@code code} so far. */
    public long errors(ErrorCode code) {
        return count(code).sum();
    }

    /** The number of invalid signatures with {@code error} so far. */
    public long signatureErrors(SignatureError error) {
        return Objects.requireNonNull(signatureErrors.get(error)).sum();
    }

    /** The number of wakes answered 200 so far, without repeats of an idempotency key. */
    public long wakes() {
        return wakes.sum();
    }

    /** The number of agent turns answered 200 or 202 so far, without repeats of an idempotency key. */
    public long turns() {
        return turns.sum();
    }

    /** The number of deliveries without an agent answered 202 so far, without repeats of an idempotency key. */
    public long deliveries() {
        return deliveries.sum();
    }

    /** The number of requests for hooks so far that were not admitted. */
    public long unadmitted() {
        return unadmitted.sum();
    }

    private LongAdder count(ErrorCode code) {
        return Objects.requireNonNull(errors.get(code));
    }
}
