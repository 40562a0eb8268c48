package dev.postern.config.openclaw;

import dev.postern.config.ConfigurationNode;
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

    private final ImportContext context;
    private final ProvidersTranslator providers;

    /** The models of {@code agents.defaults.models}, by alias, or by their id where they have none. */
    private final Map<String, Scalar> aliases = new LinkedHashMap<>();

    private boolean lostPolicy;

    ModelsTranslator(ImportContext context, ProvidersTranslator providers) {
        this.context = context;
        this.providers = providers;
    }

    /** Reads the aliases of {@code agents.defaults.models}. */
    void readAliases(OpenClawSection defaults) {
        defaults.section("models").ifPresent(models -> models.entries().forEach((id, entry) -> {
            Scalar model = SettingsBuilder.text(id, models.origin(id));
            if (MODEL.matcher(id).matches()) {
                aliases.put(entry.text("alias").map(Scalar::text).orElse(id), model);
            } else {
                entry.node("alias");
                context.notes().notTaken(model.origin(), models.path(id), "it is no model id <provider>/<model>");
            }
            entry.skipRest(Map.of(), "Postern sends a model no parameters of yours");
        }));
    }

    /** Puts {@code model} and {@code fallbacks} of {@code agent}, a section of an agent or of the defaults. */
    void putModel(OpenClawSection agent, SettingsBuilder settings) {
        @Nullable ConfigurationNode node = agent.node("model");
        if (node instanceof Fields fields) {
            OpenClawSection model = new OpenClawSection(context, agent.path("model"), fields);
            settings.put("model", model.text("primary").filter(each -> isServed(each, model.path("primary"))));
            settings.putItems(
                    "fallbacks",
                    model.texts("fallbacks").orElse(List.of()).stream()
                            .filter(each -> isServed(each, model.path("fallbacks")))
                            .toList());
            model.skipRest(Map.of(), "Postern's agents have a model and fallbacks");
        } else if (node != null) {
            settings.put("model", agent.text("model").filter(each -> isServed(each, agent.path("model"))));
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
        boolean restricted = policy.map(section -> section.hasTexts("allow")).orElse(agent.contains(POLICY));
        List<Scalar> named = policy.flatMap(section -> section.texts("allow")).orElse(List.of());
        policy.ifPresent(
                section -> section.skipRest(Map.of(), "Postern's models are a list of those that may be named"));
        if (!restricted && (!ofDefaults || aliases.isEmpty())) {
            return;
        }
        Map<String, Scalar> allowed = new LinkedHashMap<>();
        if (restricted) {
            named.forEach(model -> allow(model, agent.path("modelPolicy.allow"), allowed));
        } else {
            allowed.putAll(aliases);
            context.notes()
                    .differs(
                            agent.origin("models"),
                            agent.path("models"),
                            "a model that is not among them is refused; add those that hooks name");
        }
        Fields built = settings.build();
        List<Scalar> own = new ArrayList<>();
        if (built.value("model") instanceof Scalar model) {
            own.add(model);
        }
        if (built.value("fallbacks") instanceof Items fallbacks) {
            fallbacks.nodes().forEach(model -> own.add((Scalar) model));
        }
        for (Scalar model : own) {
            if (allowed.values().stream()
                    .noneMatch(each -> each.text().equals(named(model).text()))) {
                allowed.put(model.text(), named(model));
            }
        }
        if (allowed.isEmpty()) {
            lostPolicy = true;
            context.notes()
                    .notTaken(
                            agent.origin(POLICY),
                            agent.path(POLICY),
                            "nothing in it can be used",
                            "hooks are off until you write models there and enabled: true");
        }
        settings.putSection("models", section(allowed, agent.origin()));
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
            context.notes()
                    .differs(model.origin(), setting, "Postern has no wildcards; the models of this file are written");
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
