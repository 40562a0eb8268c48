package dev.postern.ingress;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.mapping.Arrival;
import dev.postern.mapping.Mapped;
import dev.postern.mapping.Mappings;
import dev.postern.mapping.Mappings.Considered;
import dev.postern.mapping.Mappings.Taken;
import dev.postern.mapping.Mappings.Trial;
import dev.postern.model.HookAction;
import dev.postern.model.Rejection;
import dev.postern.model.Rejection.Reason;
import dev.postern.policy.Judgement;
import dev.postern.policy.Policy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The way of a payload up to the database, which {@link Ingress} goes on from: read, mapped, judged, and nothing done. */
public final class Preview {

    private final Mappings mappings;
    private final Policy policy;
    private final InstantSource clock;

    /** Joins the rooms that a payload passes before the database. */
    public Preview(Mappings mappings, Policy policy, InstantSource clock) {
        this.mappings = mappings;
        this.policy = policy;
        this.clock = clock;
    }

    /** What would become of {@code inbound}. */
    public Explanation explain(Inbound inbound) {
        long start = System.nanoTime();
        Mapped mapped = take(inbound).mapped();
        List<Judgement> judgements = new ArrayList<>();
        if (mapped instanceof Mapped.Actions asked) {
            for (HookAction action : asked.actions()) {
                judgements.add(judge(action));
            }
        }
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        List<Considered> considered = JsonBody.read(inbound.body()) instanceof JsonBody.Value payload
                ? mappings.considered(arrival(inbound, payload.json()))
                : List.of();
        return new Explanation(considered, mapped, judgements, took);
    }

    /**
     * What comes of the mapping called {@code id} and a sample of its payload; where policy would refuse it, why.
     *
     * @param sample JSON in UTF-8
     */
    public Trial tryOut(String id, byte[] sample) {
        JsonBody json = JsonBody.read(sample);
        if (json instanceof JsonBody.Malformed malformed) {
            return new Trial(new Mapped.Unfit(invalid(malformed)), List.of());
        }
        Trial trial = mappings.tryOut(id, ((JsonBody.Value) json).json(), now());
        return trial.mapped() instanceof Mapped.Actions asked ? new Trial(judged(asked), trial.gaps()) : trial;
    }

    private Mapped judged(Mapped.Actions asked) {
        for (HookAction action : asked.actions()) {
            if (judge(action) instanceof Judgement.Denied denied) {
                return new Mapped.Unfit(denied.rejection());
            }
        }
        return keyed(asked, null, null);
    }

    private static Rejection invalid(JsonBody.Malformed malformed) {
        return new Rejection(Reason.INVALID_JSON, null, malformed.sentence());
    }

    /**
     * What {@code inbound} asks for, under the idempotency key that holds: the one beside the payload before its own, and that
     * before the id of the delivery that is signed.
     */
    Taken take(Inbound inbound) {
        JsonBody json = JsonBody.read(inbound.body());
        if (json instanceof JsonBody.Malformed malformed) {
            return Taken.byNone(new Mapped.Unfit(invalid(malformed)));
        }
        Taken taken = mappings.take(arrival(inbound, ((JsonBody.Value) json).json()));
        return taken.mapped() instanceof Mapped.Actions asked
                ? new Taken(keyed(asked, inbound.idempotencyKey(), inbound.signed()), taken.mapping())
                : taken;
    }

    Judgement judge(HookAction action) {
        return policy.judge(action);
    }

    private Arrival arrival(Inbound inbound, JsonNode payload) {
        return new Arrival(inbound.hook(), payload, inbound.headers(), inbound.query(), inbound.bySignature(), now());
    }

    /** To the millisecond, as other systems tell a template the time. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    /**
     * @param given the key beside the payload; where the mapping names the same, it is the sender's id of the delivery
     */
    private static Mapped keyed(Mapped.Actions asked, @Nullable String given, @Nullable Signed signed) {
        Mapped.@Nullable Key own = asked.key();
        Mapped.@Nullable Key key = own;
        if (given != null && (own == null || !own.value().equals(given))) {
            key = new Mapped.Key(given, true);
        } else if (own == null && signed != null && signed.deliveryId() != null) {
            key = new Mapped.Key(Keys.ofDelivery(signed.deliveryId()), false);
        }
        if (key != null && !Keys.isKey(key.value())) {
            String field = given != null ? "Idempotency-Key" : "idempotencyKey";
            return new Mapped.Unfit(
                    Rejection.invalid(field, field + " must have 1 to 255 characters and no control characters."));
        }
        return new Mapped.Actions(asked.actions(), asked.fanOut(), asked.keySpace(), key, asked.replyToSender());
    }
}
