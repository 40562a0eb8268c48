package dev.postern.mapping;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.config.MappingSettings;
import dev.postern.config.MappingSettings.Action;
import dev.postern.config.MappingSettings.TextField;
import dev.postern.mapping.template.MissingValue;
import dev.postern.mapping.template.RenderResult;
import dev.postern.mapping.template.Template;
import dev.postern.mapping.template.TemplateInput;
import dev.postern.model.BlankText;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The compiled templates of a mapping. They render to the fields of an action, under the names that a request would use.
 */
final class FieldTemplates {

    private static final Pattern OF_A_REQUEST = Pattern.compile("^(headers|query)\\b");

    private final MappingSettings mapping;
    private final Map<TextField, Template> templates;

    /**
     * @param templates one for each of the mapping's texts
     */
    FieldTemplates(MappingSettings mapping, Map<TextField, Template> templates) {
        this.mapping = mapping;
        this.templates = new EnumMap<>(TextField.class);
        this.templates.putAll(templates);
    }

    /** Renders every field of an action. A blank field is left out. Any template can stop the mapping. */
    FieldsResult render(TemplateInput input) {
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        fields.put("action", mapping.action().wire());
        for (Map.Entry<TextField, Template> entry : templates.entrySet()) {
            TextField field = entry.getKey();
            if (field.isApart()) {
                continue;
            }
            RenderResult renderResult = entry.getValue().render(input);
            if (renderResult instanceof RenderResult.Failed failed) {
                return new Failed(errorMessage(field, failed));
            }
            if (renderResult instanceof RenderResult.Nothing) {
                return new Stopped();
            }
            String value = BlankText.trimmed(((RenderResult.Text) renderResult).value());
            if (!BlankText.isBlank(value)) {
                fields.put(nameOf(field), value);
            }
        }
        if (mapping.replyToSource().ownAccount() != null && !fields.has(TextField.TO.settingName())) {
            fields.remove(TextField.CHANNEL.settingName());
        }
        if (mapping.replyToSource().required() && !fields.has(TextField.TO.settingName())) {
            fields.put("deliver", false);
        } else if (mapping.turn().deliver() != null) {
            fields.put("deliver", mapping.turn().deliver());
        }
        if (mapping.turn().timeout() != null) {
            fields.put("timeoutSeconds", mapping.turn().timeout().toMillis() / 1000.0);
        }
        return new Filled(fields);
    }

    /**
     * Renders the idempotency key. It is null if the mapping has none, if it renders blank, or if its template stops. So it is
     * if a part has no value, because requests that lack it would share what is left, and only the first would be done.
     */
    Key key(TemplateInput input) {
        KeyText key = text(TextField.IDEMPOTENCY_KEY, template -> template.renderWhole(input));
        return new Key(key.text() == null ? null : new MappingResult.Key(key.text(), false), key.error());
    }

    /** Renders the group key. It is null if the mapping has none, if it renders blank, or if its template stops. */
    KeyText groupKey(TemplateInput input) {
        return text(TextField.COALESCE_KEY, input);
    }

    /** Renders {@code field}. It is null if the mapping has none, if it renders blank, or if its template stops. */
    KeyText text(TextField field, TemplateInput input) {
        return text(field, template -> template.render(input));
    }

    private KeyText text(TextField field, Function<Template, RenderResult> rendering) {
        @Nullable Template template = templates.get(field);
        if (template == null) {
            return new KeyText(null, null);
        }
        RenderResult renderResult = rendering.apply(template);
        if (renderResult instanceof RenderResult.Failed failed) {
            return new KeyText(null, errorMessage(field, failed));
        }
        String key = renderResult instanceof RenderResult.Text text ? BlankText.trimmed(text.value()) : "";
        return new KeyText(BlankText.isBlank(key) ? null : key, null);
    }

    /**
     * The template positions that have no value, one line each. Headers and query parameters are skipped, because a sample
     * is a payload and has none.
     *
     * @param request the input of the idempotency key, which is that of the whole request
     * @param element the input of the other templates: the first element of a fan-out, or the request without one
     * @param shownOnly whether to leave out values that are only tested or computed with
     */
    List<String> gaps(TemplateInput request, TemplateInput element, boolean shownOnly) {
        List<String> lines = new ArrayList<>();
        templates.forEach((field, template) -> {
            for (MissingValue missingValue : template.gaps(field == TextField.IDEMPOTENCY_KEY ? request : element)) {
                if (OF_A_REQUEST.matcher(missingValue.path()).find() || (shownOnly && !missingValue.isShown())) {
                    continue;
                }
                MappingSettings.Text text =
                        Objects.requireNonNull(mapping.texts().get(field));
                lines.add(text.where() + ": template line " + missingValue.line() + ", column " + missingValue.column()
                        + ": " + missingValue.path() + " has no value");
            }
        });
        return lines;
    }

    private String errorMessage(TextField field, RenderResult.Failed failed) {
        return "Mapping [" + mapping.id() + "], " + field.settingName() + ", line " + failed.line() + ", column "
                + failed.column() + ": " + failed.sentence();
    }

    private String nameOf(TextField field) {
        return switch (field) {
            case MESSAGE -> "message";
            case TEXT -> "text";
            case WAKE_MODE -> mapping.action() == Action.WAKE ? "mode" : "wakeMode";
            default -> field.settingName();
        };
    }

    /** A result of rendering: the fields of an action, or why there are none. */
    sealed interface FieldsResult {}

    record Filled(ObjectNode fields) implements FieldsResult {}

    /** A result without fields: a template said that there is nothing to do. */
    record Stopped() implements FieldsResult {}

    record Failed(String sentence) implements FieldsResult {}

    /**
     * The text of a field that is no field of an action, or the reason why there is none.
     *
     * @param text null if there is none
     * @param error the error; null if there was none
     */
    record KeyText(@Nullable String text, @Nullable String error) {}

    /**
     * An idempotency key, or the reason why there is none.
     *
     * @param error the error; null if there was none
     */
    record Key(MappingResult.@Nullable Key value, @Nullable String error) {}
}
