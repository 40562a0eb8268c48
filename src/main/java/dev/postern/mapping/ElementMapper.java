package dev.postern.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.config.MappingSettings;
import dev.postern.config.MappingSettings.Action;
import dev.postern.mapping.script.ScriptRegistry;
import dev.postern.mapping.script.ScriptResult;
import dev.postern.mapping.template.TemplateInput;
import dev.postern.model.HookAction;
import dev.postern.model.HookAction.KeySource;
import dev.postern.model.HookRequest;
import dev.postern.model.HookResult;
import dev.postern.model.OperatorInstructions;
import dev.postern.model.Provenance;
import dev.postern.model.Rejection;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A mapper of a payload, or of one element of its list, to an action. The templates render first; the fields that the script
 * returns override theirs. The action is the one that the fields describe.
 */
final class ElementMapper {

    private static final String ACTION = "action";

    /** The name of the action in what OpenClaw's transforms return. */
    private static final String KIND = "kind";

    private static final String SESSION_KEY = "sessionKey";

    private final MappingSettings mapping;
    private final FieldTemplates templates;
    private final SourceFilter sourceFilter;
    private final ScriptRegistry scriptRegistry;
    private final OperatorInstructions operatorInstructions;

    ElementMapper(MappingSettings mapping, FieldTemplates templates, ScriptRegistry scriptRegistry) {
        this.mapping = mapping;
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
    }

    /** The result for one element, or for a whole payload. */
    sealed interface ElementResult {}

    /** @param characters the length of all its texts */
    record Made(HookAction action, int characters) implements ElementResult {}

    /** A result of an element that leads to no action. */
    record Skipped(HookResult.Nothing result) implements ElementResult {}

    /** A result that ends the whole request. */
    record Stopped(MappingResult outcome) implements ElementResult {}

    /**
     * Maps a whole payload, or one element of its list.
     *
     * @param input what the templates see
     * @param script what the script sees of the whole request
     * @param item the element; null for a whole payload
     * @param index the element's position from 0; 0 for a whole payload
     */
    ElementResult map(
            HookRequest request, TemplateInput input, ScriptInput script, @Nullable JsonNode item, int index) {
        SourceFilter.Verdict verdict = sourceFilter.verdict(input);
        if (verdict.error() != null) {
            return new Stopped(MappingResult.failed(null, verdict.error()));
        }
        if (verdict.nothing() != null) {
            return new Skipped(verdict.nothing());
        }
        FieldTemplates.FieldsResult fieldsResult = templates.render(input);
        if (fieldsResult instanceof FieldTemplates.Failed failed) {
            return new Stopped(MappingResult.failed(null, failed.sentence()));
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
                        ? MappingResult.failed(fault.field(), sentence)
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
}
