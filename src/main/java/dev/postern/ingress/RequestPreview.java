package dev.postern.ingress;

import dev.postern.acceptance.DeliveryLookup;
import dev.postern.acceptance.DeliveryLookup.Presence;
import dev.postern.config.MappingSettings.FormPayload;
import dev.postern.mapping.HookRegistry;
import dev.postern.mapping.HookRegistry.Considered;
import dev.postern.mapping.HookRegistry.MatchedResult;
import dev.postern.mapping.HookRegistry.Trial;
import dev.postern.mapping.MappingResult;
import dev.postern.model.AllowedAction;
import dev.postern.model.ErrorCode;
import dev.postern.model.HookAction;
import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import dev.postern.model.NothingReason;
import dev.postern.model.Rejection;
import dev.postern.model.SignedContent;
import dev.postern.policy.Policy;
import dev.postern.policy.PolicyDecision;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A preview of a request up to the database: the request is read, mapped and checked by policy, and nothing is done.
 * {@link Ingress} continues from there.
 */
public final class RequestPreview {

    /** The beginning of a body by which a form is told from JSON; long enough for the fields of a command of Slack's. */
    private static final int FORM_BYTES = 2_000;

    /** A name, and nothing that an encoded form can't hold (URL Standard, section 5.1). */
    private static final Pattern FORM = Pattern.compile("[A-Za-z][\\w.*%+-]*=[\\w.*%+&=-]*");

    private static final String IS_FORM = "The body is a form (" + FormBody.MEDIA_TYPE + "), not JSON. ";

    private final HookRegistry hookRegistry;
    private final Policy policy;
    private final DeliveryLookup deliveryLookup;
    private final InstantSource clock;

    /**
     * Creates a preview.
     *
     * @param hookRegistry the hooks and their mappings
     * @param policy decides on the actions
     * @param deliveryLookup tells this Postern's marks from those of another
     * @param clock the current time, for payloads of mappings that are tried out
     */
    public RequestPreview(
            HookRegistry hookRegistry, Policy policy, DeliveryLookup deliveryLookup, InstantSource clock) {
        this.hookRegistry = hookRegistry;
        this.policy = policy;
        this.deliveryLookup = deliveryLookup;
        this.clock = clock;
    }

    /** Explains what {@code request} leads to. */
    public Explanation explain(HookRequest request) {
        long start = System.nanoTime();
        MatchedResult matched = match(request);
        @Nullable Presence presence = presence(matched.mapped());
        MappingResult mapped = attributed(matched.mapped(), presence);
        List<Explanation.Decided> decisions = new ArrayList<>();
        if (mapped instanceof MappingResult.Actions asked) {
            for (HookAction action : asked.actions()) {
                decisions.add(decided(decide(action, request.sender()), request.sender()));
            }
        }
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        List<Considered> considered = List.of();
        List<String> missing = List.of();
        if (payload(request) instanceof JsonBody.Value payload) {
            considered = hookRegistry.considered(request, payload.json());
            missing = hookRegistry.gaps(matched.mapping(), request, payload.json());
        }
        return new Explanation(considered, missing, mapped, presence == Presence.UNKNOWN, decisions, took);
    }

    private Explanation.Decided decided(PolicyDecision decision, @Nullable String sender) {
        if (decision instanceof PolicyDecision.Allowed allowed && allowed.action() instanceof AllowedAction.Turn turn) {
            return new Explanation.Decided(decision, policy.fallbacks(turn), policy.budgets(turn, sender));
        }
        return new Explanation.Decided(decision, List.of(), List.of());
    }

    /**
     * Tries out a mapping with a sample of its payload. If policy would reject an action, the result is that rejection.
     *
     * @param id the mapping's id
     * @param sample JSON in UTF-8
     */
    public Trial tryOut(String id, byte[] sample) {
        JsonBody json = JsonBody.read(sample);
        if (json instanceof JsonBody.Malformed malformed) {
            return new Trial(
                    MappingResult.rejected(invalid(malformed, sample, IS_FORM + "A sample is the payload as JSON.")),
                    List.of());
        }
        Trial trial = hookRegistry.tryOut(id, ((JsonBody.Value) json).json(), clock.instant());
        return trial.mapped() instanceof MappingResult.Actions asked ? new Trial(judged(asked), trial.gaps()) : trial;
    }

    private MappingResult judged(MappingResult.Actions asked) {
        for (HookAction action : asked.actions()) {
            if (decide(action, null) instanceof PolicyDecision.Denied denied) {
                return MappingResult.rejected(denied.rejection());
            }
        }
        return keyed(asked, null, null);
    }

    /** @param ofForm the sentence for a body that is a form */
    private static Rejection invalid(JsonBody.Malformed malformed, byte[] body, String ofForm) {
        return malformed.code() == ErrorCode.INVALID_JSON
                        && FORM.matcher(beginning(body)).matches()
                ? new Rejection(ErrorCode.UNSUPPORTED_MEDIA_TYPE, null, ofForm)
                : new Rejection(malformed.code(), null, malformed.sentence());
    }

    private static String beginning(byte[] body) {
        return new String(body, 0, Math.min(body.length, FORM_BYTES), StandardCharsets.ISO_8859_1);
    }

    /** What to tell the sender of a form that was read as JSON. A fixed hook has no mapping that could take it. */
    private String formAdvice(HookRequest request) {
        if (hookRegistry.form(request.hook()) != null) {
            return "The body is a form, but its Content-Type is not " + FormBody.MEDIA_TYPE
                    + ". Send it with that Content-Type.";
        }
        String beginning = beginning(request.body());
        boolean wrapped = beginning.startsWith("payload=");
        String json = wrapped ? "At GitHub, choose the content type application/json" : "Send JSON";
        if (HookRegistry.isFixed(request.hook())) {
            return IS_FORM + json + ".";
        }
        String advice = beginning.contains("&command=%2F")
                ? "Slack's commands are sent so: let a mapping take forms (body: {form: fields})."
                : json + ", or let a mapping take forms (body: {form: " + (wrapped ? "payload" : "fields") + "}).";
        return IS_FORM + advice;
    }

    /** The payload of {@code request}: JSON, or what a form holds if the hook takes one. */
    private JsonBody payload(HookRequest request) {
        @Nullable FormPayload form = hookRegistry.form(request.hook());
        return form != null && FormBody.isForm(request.headers(), request.body())
                ? FormBody.read(request.body(), form)
                : JsonBody.read(request.body());
    }

    /**
     * Maps a request to its actions and its effective idempotency key. A key sent beside the payload comes first, then
     * the payload's own key, then the id of a signed delivery.
     */
    MatchedResult take(HookRequest request) {
        MatchedResult matched = match(request);
        return new MatchedResult(attributed(matched.mapped(), presence(matched.mapped())), matched.mapping());
    }

    /** The presence of the delivery whose mark the event carries; null if it carries none that tells the delivery. */
    private @Nullable Presence presence(MappingResult mapped) {
        return mapped instanceof MappingResult.Final last
                        && last.result() instanceof HookResult.Nothing nothing
                        && nothing.deliveryId() != null
                ? deliveryLookup.presence(nothing.deliveryId())
                : null;
    }

    /** Attributes the mark of an event to this Postern, unless its delivery is known to be absent. */
    private static MappingResult attributed(MappingResult mapped, @Nullable Presence presence) {
        return (presence == Presence.PRESENT || presence == Presence.UNKNOWN)
                        && mapped instanceof MappingResult.Final last
                        && last.result() instanceof HookResult.Nothing nothing
                ? MappingResult.of(new HookResult.Nothing(
                        NothingReason.OWN_DELIVERY, nothing.deliveryId(), nothing.successStatus()))
                : mapped;
    }

    private MatchedResult match(HookRequest request) {
        @Nullable Rejection rejection = policy.hookRejection(request.sender(), request.hook());
        if (rejection != null) {
            return MatchedResult.withoutMapping(MappingResult.rejected(rejection));
        }
        JsonBody json = payload(request);
        if (json instanceof JsonBody.Malformed malformed) {
            return MatchedResult.withoutMapping(
                    MappingResult.rejected(invalid(malformed, request.body(), formAdvice(request))));
        }
        MatchedResult matchedResult = hookRegistry.match(request, ((JsonBody.Value) json).json());
        return matchedResult.mapped() instanceof MappingResult.Actions asked
                ? new MatchedResult(keyed(asked, request.idempotencyKey(), request.signed()), matchedResult.mapping())
                : matchedResult;
    }

    /** As {@link HookRegistry#repliesToSender}. */
    boolean repliesToSender(String hook) {
        return hookRegistry.repliesToSender(hook);
    }

    /** @param sender the id of the sender whose own token admitted the request; null for any other credential */
    PolicyDecision decide(HookAction action, @Nullable String sender) {
        return policy.decide(action, sender);
    }

    /**
     * @param given the key sent beside the payload; if the mapping names the same key, it is the sender's delivery id
     */
    private static MappingResult keyed(
            MappingResult.Actions asked, @Nullable String given, @Nullable SignedContent signed) {
        MappingResult.@Nullable Key own = asked.key();
        MappingResult.@Nullable Key key = own;
        if (given != null && (own == null || !own.value().equals(given))) {
            key = new MappingResult.Key(given, true);
        } else if (own == null && signed != null && signed.deliveryId() != null) {
            key = new MappingResult.Key(IdempotencyKeyRules.ofDelivery(signed.deliveryId()), false);
        }
        if (key != null && !IdempotencyKeyRules.isKey(key.value())) {
            String field = given != null ? "Idempotency-Key" : "idempotencyKey";
            return MappingResult.rejected(
                    Rejection.invalid(field, field + " must have 1 to 255 characters and no control characters."));
        }
        return asked.with(key);
    }
}
