package dev.postern.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.config.MappingSettings;
import dev.postern.config.MappingSettings.Action;
import dev.postern.config.MappingSettings.Scheme;
import dev.postern.config.MappingSettings.TextField;
import dev.postern.mapping.script.ScriptRegistry;
import dev.postern.mapping.script.ScriptResult;
import dev.postern.mapping.template.TemplateInput;
import dev.postern.model.BlankText;
import dev.postern.model.CoalescingRule;
import dev.postern.model.ErrorCode;
import dev.postern.model.HookAction;
import dev.postern.model.HookAction.KeySource;
import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import dev.postern.model.NothingReason;
import dev.postern.model.OperatorInstructions;
import dev.postern.model.Provenance;
import dev.postern.model.Rejection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A compiled mapping. The templates render first; the fields that the script returns override theirs. The result is the
 * action that the fields describe.
 */
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

    private static final String ACTION = "action";

    /** The name of the action in what OpenClaw's transforms return. */
    private static final String KIND = "kind";

    private static final String SESSION_KEY = "sessionKey";

    private final MappingSettings mapping;
    private final MappingMatcher mappingMatcher;
    private final FieldTemplates templates;
    private final SourceFilter sourceFilter;
    private final ScriptRegistry scriptRegistry;
    private final OperatorInstructions operatorInstructions;
    private final LongSupplier nanoTime;

    /** @param nanoTime in nanoseconds, like {@link System#nanoTime} */
    CompiledMapping(
            MappingSettings mapping, FieldTemplates templates, ScriptRegistry scriptRegistry, LongSupplier nanoTime) {
        this.mapping = mapping;
        this.mappingMatcher = new MappingMatcher(mapping.match());
        this.templates = templates;
        this.sourceFilter = new SourceFilter(templates, mapping.replyToSource().ownAccount());
        this.scriptRegistry = scriptRegistry;
        this.operatorInstructions = new OperatorInstructions(
                mapping.turn().instructions(),
                mapping.turn().tools(),
                mapping.turn().approve(),
                mapping.turn().fallbacks(),
                mapping.turn().priority(),
                mapping.match().path() == null ? mapping.id() : null);
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

    /** The template positions that have no value in {@code sample}, or in the first of its elements. */
    List<String> gaps(HookRequest request, JsonNode sample) {
        TemplateInput input = input(request, sample);
        JsonNode first = mapping.forEach() == null
                ? MissingNode.getInstance()
                : sample.path(mapping.forEach()).path(0);
        return templates.gaps(input, first.isMissingNode() ? input : input.forItem(first, 0));
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
            return rejected(null, key.error());
        }
        FieldTemplates.KeyText groupKey = templates.groupKey(input);
        if (groupKey.error() != null) {
            return rejected(null, groupKey.error());
        }
        ScriptInput script = new ScriptInput(request, payload);
        if (mapping.forEach() == null) {
            ElementResult elementResult = mapElement(request, input, script, null, 0);
            return elementResult instanceof Made made
                    ? actions(List.of(made.action()), false, key, groupKey.text())
                    : elementResult instanceof Stopped stopped
                            ? stopped.outcome()
                            : MappingResult.of(((Skipped) elementResult).result());
        }
        JsonNode elements = payload.path(mapping.forEach());
        if (!elements.isArray()) {
            return rejected(mapping.forEach(), "Mapping [" + mapping.id() + "] needs a list here (forEach).");
        }
        if (elements.size() > MAX_ELEMENTS) {
            return rejected(
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
                    mapElement(request, input.forItem(elements.get(i), i), script, elements.get(i), i);
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
                return rejected(
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

    private ElementResult mapElement(
            HookRequest request, TemplateInput input, ScriptInput script, @Nullable JsonNode item, int index) {
        SourceFilter.Verdict verdict = sourceFilter.verdict(input);
        if (verdict.error() != null) {
            return new Stopped(rejected(null, verdict.error()));
        }
        if (verdict.nothing() != null) {
            return new Skipped(verdict.nothing());
        }
        FieldTemplates.FieldsResult fieldsResult = templates.render(input);
        if (fieldsResult instanceof FieldTemplates.Failed failed) {
            return new Stopped(rejected(null, failed.sentence()));
        }
        if (fieldsResult instanceof FieldTemplates.Stopped) {
            return new Skipped(new HookResult.Nothing());
        }
        ObjectNode fields = ((FieldTemplates.Filled) fieldsResult).fields();
        MappingSettings.Transform transform = mapping.transform();
        if (transform == null) {
            return action(request, fields, Set.of());
        }
        ScriptResult result =
                scriptRegistry.run(transform.module(), transform.export(), script.with(fields, item, index));
        if (result instanceof ScriptResult.Failed failed) {
            return new Stopped(MappingResult.of(new HookResult.ScriptFailed(
                    "Mapping [" + mapping.id() + "]: " + failed.sentence() + ".", failed.detail())));
        }
        if (result instanceof ScriptResult.NotRun notRun) {
            return new Stopped(MappingResult.of(new HookResult.Busy(
                    "Mapping [" + mapping.id() + "]: " + notRun.sentence() + ". Nothing was accepted.",
                    notRun.retryAfter())));
        }
        if (result instanceof ScriptResult.Nothing) {
            return new Skipped(new HookResult.Nothing());
        }
        return action(
                request,
                fields,
                result instanceof ScriptResult.Returned returned
                        ? overrideFields(returned.fields(), fields)
                        : Set.of());
    }

    /**
     * Overrides {@code fields} with the fields that a script returned. A {@code null} removes a field, but never the
     * action.
     *
     * @return the names of the fields that the script changed; a field returned as it was still counts as the template's
     */
    private static Set<String> overrideFields(ObjectNode returned, ObjectNode fields) {
        Set<String> changed = new HashSet<>();
        returned.properties().forEach(field -> {
            if (field.getKey().equals(ACTION) && field.getValue().isNull()) {
                return;
            }
            @Nullable JsonNode before = fields.replace(field.getKey(), field.getValue());
            if (!field.getValue().equals(before)) {
                changed.add(field.getKey());
            }
        });
        return changed;
    }

    /** @param scripted the fields that the script changed; an error in one of them is not the sender's */
    private ElementResult action(HookRequest request, ObjectNode fields, Set<String> scripted) {
        PayloadFields in = new PayloadFields(fields);
        Provenance provenance = new Provenance(request.hook(), mapping.trusted());
        if (Action.of(fields.path(KIND).asText()).isPresent()) {
            copyAlias(fields, KIND, ACTION, scripted); // any other kind is a field of the script's own
        }
        Action kind = in.choice(ACTION, Action::of, mapping.action(), "wake, agent or deliver");
        boolean wake = kind == Action.WAKE;
        copyAlias(fields, wake ? "message" : "text", wake ? "text" : "message", scripted);
        copyAlias(fields, wake ? "wakeMode" : "mode", wake ? "mode" : "wakeMode", scripted);
        KeySource keySource = scripted.contains(SESSION_KEY) ? KeySource.SCRIPT : KeySource.MAPPING;
        HookAction action =
                switch (kind) {
                    case WAKE -> ActionReader.wake(in, provenance);
                    case AGENT -> ActionReader.turn(in, keySource, provenance, operatorInstructions);
                    case DELIVER -> ActionReader.delivery(in, provenance);
                };
        @Nullable Rejection fault = in.error();
        if (fault == null) {
            return new Made(action, characters(fields));
        }
        String sentence = "Mapping [" + mapping.id() + "]: " + fault.sentence();
        boolean sendersOwn = scripted.isEmpty() || (fields.has(fault.field()) && !scripted.contains(fault.field()));
        return new Stopped(
                sendersOwn
                        ? rejected(fault.field(), sentence)
                        : MappingResult.of(
                                new HookResult.ScriptFailed(sentence + " The script returned something else.", "")));
    }

    private static int characters(ObjectNode fields) {
        int characters = 0;
        for (JsonNode field : fields) {
            characters += field.isTextual() ? field.textValue().length() : 0;
        }
        return characters;
    }

    /**
     * Copies a field to the name that is used here. Scripts name the action itself, its text and its mode in two ways, and
     * either name counts.
     */
    private static void copyAlias(ObjectNode fields, String from, String to, Set<String> scripted) {
        boolean later = scripted.contains(from) && !scripted.contains(to);
        if (fields.has(from) && (later || !fields.has(to))) {
            fields.set(to, fields.get(from));
            if (later) {
                scripted.add(to);
            }
        }
    }

    private static MappingResult rejected(@Nullable String field, String sentence) {
        return MappingResult.rejected(new Rejection(ErrorCode.MAPPING_FAILED, field, sentence));
    }

    /** A result for one element, or for the whole payload. */
    private sealed interface ElementResult {}

    private record Made(HookAction action, int characters) implements ElementResult {}

    private record Skipped(HookResult.Nothing result) implements ElementResult {}

    private record Stopped(MappingResult outcome) implements ElementResult {}
}
