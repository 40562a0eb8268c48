package dev.postern.config.openclaw;

import dev.postern.config.ConfigurationNode;
import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Items;
import dev.postern.config.ConfigurationNode.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A translator of the section {@code hooks}. */
final class HooksTranslator {

    private static final String GENERATED = "hook:";
    private static final String ENABLED = "enabled";
    private static final String AGENT_IDS = "allowedAgentIds";
    private static final String PREFIXES = "allowedSessionKeyPrefixes";

    private static final Map<String, String> REASONS = Map.of(
            "internal", "Postern has no handlers of its own events; a channel of kind webhook posts replies",
            "sessionRetention", "Postern keeps finished work for retention.days",
            "maxBodyBytesByPath", "Postern has one limit, hooks.maxBodyBytes");

    private static final String NO_WATCHER =
            "Postern needs no Pub/Sub; run mail setup --account, or let your watcher post on";

    private final ImportContext context;
    private final OpenClawSection hooks;
    private final TransformTranslator transforms;
    private final List<Fields> mappings = new ArrayList<>();
    private final List<Fields> leftOut = new ArrayList<>();

    HooksTranslator(ImportContext context, OpenClawSection hooks, TransformTranslator transforms) {
        this.context = context;
        this.hooks = hooks;
        this.transforms = transforms;
    }

    Fields translate() {
        SettingsBuilder settings = new SettingsBuilder(hooks.origin());
        Optional<Scalar> enabled = hooks.flag(ENABLED);
        Optional<Scalar> token = context.secrets().translate("hooks.token", "hooks-token", hooks.node("token"));
        if (enabled.filter(flag -> flag.text().equals("true")).isPresent() && token.isEmpty()) {
            context.notes()
                    .notTaken(
                            enabled.get().origin(),
                            "hooks.enabled",
                            "there is no hooks.token that can be taken",
                            "write a token and enabled: true");
            settings.put(ENABLED, SettingsBuilder.flag(false, enabled.get().origin()));
        } else {
            settings.put(ENABLED, enabled);
        }
        settings.put("token", token);
        if (token.isPresent()) {
            settings.putItems(
                    "tokenHeaders",
                    List.of(SettingsBuilder.text("x-openclaw-token", token.get().origin())));
        }
        settings.put("path", hooks.text("path"));
        restriction(AGENT_IDS, settings).ifPresent(ids -> settings.put(AGENT_IDS, agentIds(ids)));
        settings.put("defaultSessionKey", hooks.text("defaultSessionKey"));
        settings.put("allowRequestSessionKey", hooks.flag("allowRequestSessionKey"));
        hooks.text("transformsDir").ifPresent(transforms::readDirectory);
        hooks.items("mappings").ifPresent(this::readMappings);
        prefixes(settings);
        settings.put("maxBodyBytes", hooks.number("maxBodyBytes"));
        List<Scalar> presets = presets();
        settings.putItems("mappings", mappings).putItems("presets", presets);
        hooks.section("gmail").ifPresent(gmail -> settings.putSection("gmail", gmail(gmail)));
        hooks.skipRest(REASONS, "Postern has no such setting of hooks");
        return settings.build();
    }

    private Items agentIds(List<Scalar> ids) {
        return new Items(
                ids.stream()
                        .map(id -> id.text().strip().equals("*")
                                ? id
                                : AgentIdTranslator.translate(context, hooks.path(AGENT_IDS), id))
                        .map(ConfigurationNode.class::cast)
                        .toList(),
                hooks.origin(AGENT_IDS));
    }

    /**
     * Reads a list that restricts requests. Hooks go off if nothing in it can be read: they would take more requests without it.
     */
    private Optional<List<Scalar>> restriction(String name, SettingsBuilder settings) {
        Optional<List<Scalar>> texts = hooks.texts(name);
        if (!hooks.hasTexts(name) || texts.filter(list -> !list.isEmpty()).isPresent()) {
            return texts;
        }
        context.notes()
                .notTaken(hooks.origin(name), hooks.path(name), "nothing in it can be read", SettingRemoval.HOOKS_OFF);
        settings.put(ENABLED, SettingsBuilder.flag(false, hooks.origin(name)));
        return Optional.empty();
    }

    private void readMappings(Items items) {
        for (int place = 0; place < items.nodes().size(); place++) {
            ConfigurationNode node = items.nodes().get(place);
            String path = "hooks.mappings[" + place + "]";
            if (node instanceof Fields fields
                    && leftOut.stream().noneMatch(other -> MappingOverlap.of(other, fields))) {
                Optional<Fields> mapping = new MappingTranslator(
                                context, transforms, new OpenClawSection(context, path, fields))
                        .translate();
                mapping.ifPresentOrElse(mappings::add, () -> leftOut.add(fields));
            } else if (node instanceof Fields fields) {
                context.notes().notTaken(fields.origin(), path, MappingOverlap.BECAUSE);
                leftOut.add(fields);
            } else {
                context.notes().notTaken(node.origin(), path, "it is " + node.noun(), "write a map");
            }
        }
    }

    /** Translates the prefixes of session keys. A templated key needs some, as in OpenClaw since its version 2026.3. */
    private void prefixes(SettingsBuilder settings) {
        List<Scalar> prefixes = restriction(PREFIXES, settings).orElse(List.of());
        if (!prefixes.isEmpty()) {
            settings.putItems(PREFIXES, prefixes);
            prefixes.stream()
                    .filter(prefix -> !prefix.text().equals(prefix.text().toLowerCase(Locale.ROOT)))
                    .forEach(prefix -> context.notes()
                            .differs(prefix.origin(), "hooks." + PREFIXES, "Postern compares the case of letters"));
            return;
        }
        List<Scalar> keys = Stream.concat(
                        Stream.ofNullable(settings.build().value("defaultSessionKey")),
                        mappings.stream().flatMap(mapping -> Stream.ofNullable(mapping.value("sessionKey"))))
                .map(Scalar.class::cast)
                .toList();
        Optional<Scalar> templated = keys.stream()
                .filter(key -> !TemplateTranslator.isConstant(key.text()))
                .findFirst();
        boolean generated = keys.stream()
                .allMatch(key -> TemplateTranslator.beginning(key.text()).startsWith(GENERATED));
        if (templated.isPresent() && generated) {
            settings.putItems(
                    PREFIXES,
                    List.of(SettingsBuilder.text(GENERATED, templated.get().origin())));
            context.notes()
                    .differs(
                            templated.get().origin(),
                            "hooks." + PREFIXES,
                            "a templated sessionKey needs it; [\"" + GENERATED
                                    + "\"] is written, so that other keys are refused");
        }
    }

    private List<Scalar> presets() {
        List<Scalar> presets = new ArrayList<>();
        for (Scalar preset : hooks.texts("presets").orElse(List.of())) {
            if (preset.text().equals("gmail") && leftOut.stream().anyMatch(MappingOverlap::ofMails)) {
                context.notes().notTaken(preset.origin(), "hooks.presets", MappingOverlap.BECAUSE);
            } else if (preset.text().equals("gmail")) {
                presets.add(preset);
            } else {
                context.notes().notTaken(preset.origin(), "hooks.presets", "OpenClaw has no preset " + preset.text());
            }
        }
        return presets;
    }

    /** The settings of the mails that a watcher pushes. The watcher itself is OpenClaw's own. */
    private Fields gmail(OpenClawSection gmail) {
        SettingsBuilder settings = new SettingsBuilder(gmail.origin());
        settings.put("maxBytes", gmail.number("maxBytes"))
                .put("model", gmail.text("model"))
                .put("thinking", gmail.text("thinking"))
                .put("allowUnsafeExternalContent", gmail.flag("allowUnsafeExternalContent"));
        Optional<Scalar> account = gmail.text("account");
        account.ifPresent(address -> context.notes()
                .notTaken(
                        address.origin(),
                        gmail.path("account"),
                        "Postern watches a mailbox by IMAP and needs a login",
                        "run mail setup --account " + address.text() + ", or let your watcher post on"));
        gmail.skipRest(Map.of(), NO_WATCHER);
        return settings.build();
    }

    /** The models that mappings and the settings of mails name for every request in {@code translated} hooks. */
    static List<Scalar> models(Fields translated) {
        Stream<ConfigurationNode> mappings =
                translated.value("mappings") instanceof Items items ? items.nodes().stream() : Stream.empty();
        return Stream.concat(mappings, Stream.ofNullable(translated.value("gmail")))
                .map(Fields.class::cast)
                .flatMap(section -> Stream.ofNullable(section.value("model")))
                .map(Scalar.class::cast)
                .filter(model -> TemplateTranslator.isConstant(model.text()))
                .toList();
    }

    /**
     * Notes requests that OpenClaw refuses and Postern takes: those that name no agent, if the default one is not allowed.
     *
     * @param defaultAgent the id of Postern's default agent
     */
    void noteDefaultAgent(Fields translated, String defaultAgent) {
        @Nullable ConfigurationNode allowed = translated.value(AGENT_IDS);
        if (allowed instanceof Items items
                && items.nodes().stream()
                        .map(node -> ((Scalar) node).text())
                        .noneMatch(id -> id.equals("*") || id.equals(defaultAgent))) {
            context.notes()
                    .differs(
                            hooks.origin(AGENT_IDS),
                            hooks.path(AGENT_IDS),
                            "requests that name no agent go to " + defaultAgent + "; OpenClaw refuses them");
        }
    }
}
