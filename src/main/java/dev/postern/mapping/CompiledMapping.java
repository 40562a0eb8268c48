package dev.postern.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.postern.config.MappingSettings;
import dev.postern.config.MappingSettings.Scheme;
import dev.postern.config.MappingSettings.TextField;
import dev.postern.mapping.ElementMapper.ElementResult;
import dev.postern.mapping.ElementMapper.Made;
import dev.postern.mapping.ElementMapper.Skipped;
import dev.postern.mapping.ElementMapper.Stopped;
import dev.postern.mapping.script.ScriptRegistry;
import dev.postern.mapping.template.TemplateInput;
import dev.postern.model.BlankText;
import dev.postern.model.CoalescingRule;
import dev.postern.model.HookAction;
import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import dev.postern.model.NothingReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A compiled mapping, which makes one action from a request's payload, or one from each element of a list in it. */
final class CompiledMapping {

    /** The most elements of one request; more are too much work for one request. */
    static final int MAX_ELEMENTS = 200;

    /**
     * The time after which no further element of the same request is started. Each template and each script also has its
     * own limit.
     */
    static final Duration MAX_DURATION = Duration.ofSeconds(2);

    private static final Duration SOON = Duration.ofSeconds(1);

    /** The most characters that one request may produce in all. Each text also has its own limit. */
    private static final int MAX_CHARACTERS = 4 * 1024 * 1024;

    private final MappingSettings mapping;
    private final MappingMatcher mappingMatcher;
    private final FieldTemplates templates;
    private final ElementMapper elementMapper;
    private final LongSupplier nanoTime;

    /** @param nanoTime in nanoseconds, like {@link System#nanoTime} */
    CompiledMapping(
            MappingSettings mapping, FieldTemplates templates, ScriptRegistry scriptRegistry, LongSupplier nanoTime) {
        this.mapping = mapping;
        this.mappingMatcher = new MappingMatcher(mapping.match());
        this.templates = templates;
        this.elementMapper = new ElementMapper(mapping, templates, scriptRegistry);
        this.nanoTime = nanoTime;
    }

    MappingSettings mapping() {
        return mapping;
    }

    MappingMatcher matcher() {
        return mappingMatcher;
    }

    /** Whether requests to {@code hook} use Slack's signature scheme, so that its URL verification may be confirmed. */
    boolean acceptsSlackVerificationAt(String hook) {
        return mapping.verify() != null && mapping.verify().scheme() == Scheme.SLACK && isAt(hook);
    }

    /** Whether Amazon SNS signs the requests to {@code hook}. */
    boolean takesSnsAt(String hook) {
        return mapping.verify() != null && mapping.verify().scheme() == Scheme.SNS && isAt(hook);
    }

    /** Whether the mapping names {@code hook} as its path. */
    boolean isAt(String hook) {
        return hook.equals(mapping.match().path());
    }

    /** The template positions that have no value in {@code payload}, or in the first of its elements. See {@link FieldTemplates#gaps}. */
    List<String> gaps(HookRequest request, JsonNode payload, boolean shownOnly) {
        TemplateInput input = input(request, payload);
        JsonNode first = mapping.forEach() == null
                ? MissingNode.getInstance()
                : payload.path(mapping.forEach()).path(0);
        return templates.gaps(input, first.isMissingNode() ? input : input.forItem(first, 0), shownOnly);
    }

    MappingResult map(HookRequest request, JsonNode payload) {
        MappingResult mapped = mapPayload(request, payload);
        return mapped instanceof MappingResult.Final last && last.result() instanceof HookResult.Nothing nothing
                ? MappingResult.of(new HookResult.Nothing(
                        nothing.reason(),
                        nothing.deliveryId(),
                        mapping.response().successStatus()))
                : mapped;
    }

    private MappingResult mapPayload(HookRequest request, JsonNode payload) {
        long start = nanoTime.getAsLong();
        TemplateInput input = input(request, payload);
        FieldTemplates.Key key = key(payload, input);
        if (key.error() != null) {
            return MappingResult.failed(null, key.error());
        }
        FieldTemplates.KeyText groupKey = templates.groupKey(input);
        if (groupKey.error() != null) {
            return MappingResult.failed(null, groupKey.error());
        }
        ScriptInput script = new ScriptInput(request, payload);
        if (mapping.forEach() == null) {
            ElementResult elementResult = elementMapper.map(request, input, script, null, 0);
            return elementResult instanceof Made made
                    ? actions(List.of(made.action()), false, key, groupKey.text())
                    : elementResult instanceof Stopped stopped
                            ? stopped.outcome()
                            : MappingResult.of(((Skipped) elementResult).result());
        }
        JsonNode elements = payload.path(mapping.forEach());
        if (!elements.isArray()) {
            return MappingResult.failed(
                    mapping.forEach(), "Mapping [" + mapping.id() + "] needs a list here (forEach).");
        }
        if (elements.size() > MAX_ELEMENTS) {
            return MappingResult.failed(
                    mapping.forEach(),
                    "Mapping [" + mapping.id() + "] takes at most " + MAX_ELEMENTS + " elements here.");
        }
        List<HookAction> actions = new ArrayList<>(elements.size());
        HookResult.Nothing nothing = new HookResult.Nothing();
        int characters = 0;
        for (int i = 0; i < elements.size(); i++) {
            if (nanoTime.getAsLong() - start > MAX_DURATION.toNanos()) {
                return MappingResult.of(new HookResult.Busy(
                        "Mapping [" + mapping.id() + "] took longer than " + MAX_DURATION.toSeconds()
                                + " s for the elements of its list. Nothing was accepted.",
                        SOON));
            }
            ElementResult elementResult =
                    elementMapper.map(request, input.forItem(elements.get(i), i), script, elements.get(i), i);
            if (elementResult instanceof Stopped stopped) {
                return stopped.outcome();
            }
            if (elementResult instanceof Skipped skipped && skipped.result().reason() != NothingReason.MAPPING) {
                nothing = skipped.result();
            }
            if (elementResult instanceof Made made) {
                actions.add(made.action());
                characters += made.characters();
            }
            if (characters > MAX_CHARACTERS) {
                return MappingResult.failed(
                        mapping.forEach(),
                        "Mapping [" + mapping.id() + "] makes more than " + MAX_CHARACTERS
                                + " characters of all elements.");
            }
        }
        return actions.isEmpty() ? MappingResult.of(nothing) : actions(actions, true, key, null);
    }

    private MappingResult actions(
            List<HookAction> actions, boolean fanOut, FieldTemplates.Key key, @Nullable String groupKey) {
        @Nullable CoalescingRule rule = mapping.load().coalesce();
        return new MappingResult.Actions(
                actions,
                fanOut,
                mapping.id(),
                key.value(),
                mapping.response().replyToSender(),
                rule == null || groupKey == null ? null : new MappingResult.Group(groupKey, rule),
                mapping.response().successStatus());
    }

    /** The {@code idempotencyKey} that the payload itself names, else the key of the template. */
    private FieldTemplates.Key key(JsonNode payload, TemplateInput input) {
        @Nullable
        String named = payload.path(TextField.IDEMPOTENCY_KEY.settingName()).textValue();
        return named == null
                ? templates.key(input)
                : new FieldTemplates.Key(new MappingResult.Key(BlankText.trimmed(named), true), null);
    }

    private static TemplateInput input(HookRequest request, JsonNode payload) {
        return new TemplateInput(payload, request.headers(), request.query(), request.hook(), request.receivedAt());
    }
}
