package dev.postern.config.openclaw;

import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Items;
import dev.postern.config.ConfigurationNode.Scalar;
import dev.postern.config.ValueOrigin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A translator of the models that agents name: {@code model}, {@code models} and {@code modelPolicy}. */
final class ModelsTranslator {

    private static final Pattern MODEL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}/\\S+");

    private static final String POLICY = "modelPolicy";
    private static final String ALLOW = "allow";
    private static final String MODELS = "models";
    private static final String MODEL_OF_AGENT = "model";
    private static final String FALLBACKS = "fallbacks";
    private static final String NO_WILDCARDS = "Postern has no wildcards; the models of this file are written";

    private final ImportContext context;
    private final ProvidersTranslator providers;

    /** The models of {@code agents.defaults.models}, by alias, or by their id where they have none. */
    private final Map<String, Scalar> aliases = new LinkedHashMap<>();

    /** The models that the policy of the defaults allows, by alias or id; empty if there is none. */
    private final Map<String, Scalar> allowedByDefault = new LinkedHashMap<>();

    private boolean hasCatalogue;
    private boolean defaultsHaveFallbacks;
    private boolean lostPolicy;

    ModelsTranslator(ImportContext context, ProvidersTranslator providers) {
        this.context = context;
        this.providers = providers;
    }

    /** Reads the aliases of {@code agents.defaults.models}. */
    void readAliases(OpenClawSection defaults) {
        defaults.section(MODELS).ifPresent(models -> models.entries().forEach((id, entry) -> {
            Scalar model = SettingsBuilder.text(id, models.origin(id));
            if (id.endsWith("*")) {
                entry.node("alias");
                context.notes().differs(model.origin(), models.path(id), NO_WILDCARDS);
            } else if (MODEL.matcher(id).matches()) {
                aliases.put(entry.text("alias").map(Scalar::text).orElse(id), model);
            } else {
                entry.node("alias");
                context.notes().notTaken(model.origin(), models.path(id), "it is no model id <provider>/<model>");
            }
            entry.skipRest(Map.of(), "Postern sends a model no parameters of yours");
        }));
    }

    /**
     * Puts {@code model} and {@code fallbacks} of {@code agent}, a section of an agent or of the defaults. An agent with a model
     * of its own has only the fallbacks that it names.
     */
    void putModel(OpenClawSection agent, SettingsBuilder settings, boolean ofDefaults) {
        OpenClawSection section = agent.node(MODEL_OF_AGENT) instanceof Fields fields
                ? new OpenClawSection(context, agent.path(MODEL_OF_AGENT), fields)
                : agent;
        boolean isMap = section != agent;
        String setting = isMap ? "primary" : MODEL_OF_AGENT;
        Optional<Scalar> model = section.text(setting);
        settings.put(MODEL_OF_AGENT, model.filter(each -> isServed(each, section.path(setting))));
        boolean named = isMap && section.contains(FALLBACKS);
        List<Scalar> fallbacks = named
                ? section.texts(FALLBACKS).orElse(List.of()).stream()
                        .filter(each -> isServed(each, section.path(FALLBACKS)))
                        .toList()
                : List.of();
        if (ofDefaults) {
            settings.putItems(FALLBACKS, fallbacks);
            defaultsHaveFallbacks = !fallbacks.isEmpty();
        } else if (named) {
            settings.put(FALLBACKS, new Items(List.copyOf(fallbacks), section.origin(FALLBACKS)));
        } else if (model.isPresent() && defaultsHaveFallbacks) {
            settings.put(FALLBACKS, new Items(List.of(), section.origin(setting)));
            context.notes()
                    .differs(
                            section.origin(setting),
                            section.path(setting),
                            "it has no fallbacks; earlier versions of OpenClaw asked those of the defaults");
        }
        if (isMap) {
            section.skipRest(Map.of(), "Postern's agents have a model and fallbacks");
        }
    }

    private boolean isServed(Scalar model, String setting) {
        @Nullable Scalar named = aliases.get(model.text());
        return providers.serves((named == null ? model : named).text(), model.origin(), setting);
    }

    /** Whether OpenClaw restricts the models that requests may name, and nothing of that could be taken. */
    boolean hasLostPolicy() {
        return lostPolicy;
    }

    /**
     * Puts the models that may be named. {@code modelPolicy.allow} says it, or in earlier versions of OpenClaw {@code models}.
     * The agent's own model is among them in any case.
     */
    void putAllowed(OpenClawSection agent, SettingsBuilder settings, boolean ofDefaults) {
        Optional<OpenClawSection> policy = agent.section(POLICY);
        boolean restricted = policy.map(section -> section.hasTexts(ALLOW)).orElse(agent.contains(POLICY));
        List<Scalar> named = policy.flatMap(section -> section.texts(ALLOW)).orElse(List.of());
        policy.ifPresent(
                section -> section.skipRest(Map.of(), "Postern's models are a list of those that may be named"));
        if (restricted) {
            putPolicy(agent, named, settings, ofDefaults);
        } else if (ofDefaults) {
            putCatalogue(agent, settings);
        } else {
            policy.filter(section -> section.contains(ALLOW)).ifPresent(this::noteOpenPolicy);
            putBesidePolicy(agent, settings);
        }
    }

    private void putPolicy(OpenClawSection agent, List<Scalar> named, SettingsBuilder settings, boolean ofDefaults) {
        Map<String, Scalar> allowed = new LinkedHashMap<>();
        named.forEach(model -> allow(model, agent.path("modelPolicy.allow"), allowed));
        own(settings.build()).forEach(model -> add(model, allowed));
        if (allowed.isEmpty()) {
            lostPolicy = true;
            context.notes()
                    .notTaken(
                            agent.origin(POLICY),
                            agent.path(POLICY),
                            "nothing in it can be used",
                            "hooks are off until you write models there and enabled: true");
        }
        if (ofDefaults) {
            allowedByDefault.putAll(allowed);
        }
        settings.putSection(MODELS, section(allowed, agent.origin()));
    }

    /** Puts the models of the catalogue. Recent versions of OpenClaw restrict nothing to them. */
    private void putCatalogue(OpenClawSection defaults, SettingsBuilder settings) {
        if (aliases.isEmpty()) {
            return;
        }
        hasCatalogue = true;
        context.notes()
                .differs(
                        defaults.origin(MODELS),
                        defaults.path(MODELS),
                        "requests may name these, and the models of agents and mappings; add others that they name");
        Map<String, Scalar> allowed = new LinkedHashMap<>(aliases);
        own(settings.build()).forEach(model -> add(model, allowed));
        settings.putSection(MODELS, section(allowed, defaults.origin()));
    }

    /** Puts the models that the defaults allow and the agent's own, if these are not among them. */
    private void putBesidePolicy(OpenClawSection agent, SettingsBuilder settings) {
        Map<String, Scalar> allowed = new LinkedHashMap<>(allowedByDefault);
        own(settings.build()).forEach(model -> add(model, allowed));
        if (!allowedByDefault.isEmpty() && allowed.size() > allowedByDefault.size()) {
            settings.putSection(MODELS, section(allowed, agent.origin()));
        }
    }

    /** An agent's empty list allows any model in OpenClaw. */
    private void noteOpenPolicy(OpenClawSection policy) {
        if (hasCatalogue || !allowedByDefault.isEmpty()) {
            context.notes()
                    .differs(
                            policy.origin(ALLOW),
                            policy.path(ALLOW),
                            "a list of models in the defaults restricts this agent too; write models for it");
        }
    }

    /**
     * {@code agents} with the models of agents without a policy, and with {@code others}, in the list of the defaults while that
     * is made of a catalogue.
     */
    Fields withNamed(Fields agents, List<Scalar> others) {
        SettingPath path = new SettingPath(List.of("defaults", MODELS));
        if (!hasCatalogue || !(path.in(agents) instanceof Fields models)) {
            return agents;
        }
        Map<String, Scalar> allowed = new LinkedHashMap<>();
        models.byName().forEach((alias, field) -> allowed.put(alias, (Scalar) field.value()));
        if (agents.value("list") instanceof Items list) {
            list.nodes().stream()
                    .map(Fields.class::cast)
                    .filter(agent -> agent.value(MODELS) == null)
                    .forEach(agent -> own(agent).forEach(model -> add(model, allowed)));
        }
        others.stream()
                .filter(model -> MODEL.matcher(named(model).text()).matches())
                .forEach(model -> add(model, allowed));
        return path.putInto(agents, section(allowed, models.origin()));
    }

    /** The model and the fallbacks of an agent. */
    private static List<Scalar> own(Fields agent) {
        List<Scalar> own = new ArrayList<>();
        if (agent.value(MODEL_OF_AGENT) instanceof Scalar model) {
            own.add(model);
        }
        if (agent.value(FALLBACKS) instanceof Items fallbacks) {
            fallbacks.nodes().forEach(model -> own.add((Scalar) model));
        }
        return own;
    }

    private void add(Scalar model, Map<String, Scalar> allowed) {
        String id = named(model).text();
        if (allowed.values().stream().noneMatch(each -> each.text().equals(id))) {
            allowed.put(model.text(), named(model));
        }
    }

    /** Adds {@code model}: an id, an alias, or all models of a provider that this file knows. */
    private void allow(Scalar model, String setting, Map<String, Scalar> allowed) {
        String text = model.text();
        if (text.endsWith("*")) {
            String beginning = text.substring(0, text.length() - 1);
            aliases.forEach((alias, id) -> {
                if (id.text().startsWith(beginning)) {
                    allowed.put(alias, id);
                }
            });
            context.notes().differs(model.origin(), setting, NO_WILDCARDS);
        } else if (MODEL.matcher(named(model).text()).matches()) {
            allowed.put(text, named(model));
        } else {
            context.notes().notTaken(model.origin(), setting, "[" + text + "] is no model id and no alias");
        }
    }

    private Scalar named(Scalar model) {
        return aliases.getOrDefault(model.text(), model);
    }

    private static Fields section(Map<String, Scalar> allowed, ValueOrigin origin) {
        SettingsBuilder models = new SettingsBuilder(origin);
        allowed.forEach((alias, id) -> models.put(alias, id));
        return models.build();
    }
}
