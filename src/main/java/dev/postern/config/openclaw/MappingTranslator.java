package dev.postern.config.openclaw;

import dev.postern.config.ConfigurationNode;
import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Scalar;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A translator of one mapping. A mapping of which a part can't be read is not taken at all: it would do something else. */
final class MappingTranslator {

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final String WAKE = "wake";

    /** The fields of an agent's turn that a wake has no use for. */
    private static final List<String> OF_TURNS =
            List.of("name", "sessionKey", "deliver", "channel", "to", "model", "thinking", "timeoutSeconds");

    private final ImportContext context;
    private final TransformTranslator transforms;
    private final OpenClawSection mapping;
    private final SettingsBuilder settings;
    private boolean constants = true;

    MappingTranslator(ImportContext context, TransformTranslator transforms, OpenClawSection mapping) {
        this.context = context;
        this.transforms = transforms;
        this.mapping = mapping;
        this.settings = new SettingsBuilder(mapping.origin());
    }

    /** The mapping; empty if it is not taken, which is noted. */
    Optional<Fields> translate() {
        id();
        boolean wake = "wake".equals(mapping.text("action").map(Scalar::text).orElse("agent"));
        Optional<Scalar> action = mapping.text("action");
        Optional<Fields> match = match();
        settings.put("match", match).put("action", action);
        Optional<Scalar> forEach = mapping.text("forEach");
        settings.put("forEach", forEach);
        @Nullable String each = forEach.map(field -> field.text().strip()).orElse(null);
        TemplateTranslator templates = new TemplateTranslator(each);
        Optional<Scalar> text = text(wake ? "textTemplate" : "messageTemplate", templates);
        String other = wake ? "messageTemplate" : "textTemplate";
        mapping.skip(other, "a mapping with action " + (wake ? WAKE : "agent") + " has no use for it");
        Optional<OpenClawSection> transform = mapping.section("transform");
        Optional<Fields> script = transform.flatMap(section -> transforms.translate(section, each));
        settings.put("transform", script);
        settings.put("agentId", agentId()).put("wakeMode", mapping.text("wakeMode"));
        if (!wake || transform.isPresent()) {
            turn(templates);
        } else {
            OF_TURNS.forEach(field -> mapping.skip(field, "an event goes to the main session of its agent"));
        }
        settings.put("allowUnsafeExternalContent", mapping.flag("allowUnsafeExternalContent"));
        mapping.node("sessionMode");
        boolean unknown = mapping.skipRest(Map.of(), "Postern's mappings have no such field");
        if (unknown
                || !constants
                || mapping.failed()
                || (transform.isPresent() && script.isEmpty())
                || isWider(match)) {
            return leave("a part of it is not taken, and without that part it would do something else");
        }
        return text.isEmpty() && script.isEmpty()
                ? leave(
                        "it has neither a template nor a transform, so that OpenClaw refuses its requests too; write one")
                : Optional.of(settings.build());
    }

    private Optional<Fields> leave(String because) {
        context.notes().notTaken(mapping.origin(), mapping.path(), because);
        return Optional.empty();
    }

    private void id() {
        Optional<Scalar> id = mapping.text("id");
        if (id.isPresent() && !ID.matcher(id.get().text().strip()).matches()) {
            context.notes()
                    .notTaken(
                            id.get().origin(),
                            mapping.path("id"),
                            "an id has A-Z a-z 0-9 . _ - and at most 64 characters");
            return;
        }
        settings.put("id", id);
    }

    private Optional<Fields> match() {
        return mapping.section("match").map(match -> {
            SettingsBuilder conditions = new SettingsBuilder(match.origin());
            conditions.put("path", match.text("path")).put("source", match.text("source"));
            match.skipRest(Map.of(), "Postern matches by path, source and headers");
            return conditions.build();
        });
    }

    /** Whether a condition of OpenClaw is missing in {@code match}, so that it would take more requests. */
    private boolean isWider(Optional<Fields> match) {
        @Nullable ConfigurationNode given = mapping.node("match");
        if (!(given instanceof Fields conditions)) {
            return given != null;
        }
        return conditions.byName().keySet().stream()
                .filter(name -> conditions.value(name) != null)
                .filter(name -> !(conditions.value(name) instanceof Scalar scalar
                        && scalar.text().isBlank()))
                .anyMatch(name -> match.map(taken -> taken.value(name) == null).orElse(true));
    }

    private Optional<Scalar> text(String field, TemplateTranslator templates) {
        Optional<Scalar> text = template(field, templates);
        settings.put(field, text);
        return text;
    }

    private Optional<Scalar> template(String field, TemplateTranslator templates) {
        return mapping.text(field)
                .map(scalar -> SettingsBuilder.text(templates.translate(scalar.text()), scalar.origin()));
    }

    /** A field that is no template in OpenClaw. What looks like a placeholder there would be one in Postern. */
    private Optional<Scalar> constant(String field) {
        Optional<Scalar> text = template(field, new TemplateTranslator(null));
        if (text.isPresent() && !TemplateTranslator.isConstant(text.get().text())) {
            context.notes()
                    .notTaken(
                            text.get().origin(),
                            mapping.path(field),
                            "OpenClaw fills in no placeholder here; write a name");
            constants = false;
        }
        return text;
    }

    private Optional<Scalar> agentId() {
        Optional<Scalar> id = constant("agentId");
        return constants ? id.map(each -> AgentIdTranslator.translate(context, mapping.path("agentId"), each)) : id;
    }

    private void turn(TemplateTranslator templates) {
        settings.put("name", template("name", templates));
        Optional<Scalar> sessionKey = template("sessionKey", templates);
        settings.put("sessionKey", sessionKey);
        boolean persistent = mapping.text("sessionMode")
                .map(Scalar::text)
                .filter("persistent"::equals)
                .isPresent();
        if (sessionKey.isPresent() && !persistent) {
            context.notes()
                    .differs(
                            sessionKey.get().origin(),
                            mapping.path("sessionKey"),
                            "runs of one session remember each other; in OpenClaw only with sessionMode: persistent");
        }
        settings.put("deliver", mapping.flag("deliver"));
        Optional<Scalar> channel = constant("channel");
        settings.put("channel", channel);
        String kind = channel.map(Scalar::text).orElse("");
        settings.put(
                "to",
                template("to", templates)
                        .map(to -> SettingsBuilder.text(RecipientTranslator.translate(kind, to.text()), to.origin())));
        settings.put("model", template("model", templates)).put("thinking", template("thinking", templates));
        settings.put("timeoutSeconds", mapping.number("timeoutSeconds"));
    }
}
