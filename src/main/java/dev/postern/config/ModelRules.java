package dev.postern.config;

import dev.postern.config.SettingDeclaration.Setting;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rules for the models that a configuration may name.
 *
 * @param providers the ids of all providers
 * @param configured whether a provider is configured besides offline ones
 * @param readable the providers that could be read, by id
 */
record ModelRules(Set<String> providers, boolean configured, Map<String, Settings.Provider> readable) {

    static final String OFFLINE_MODEL = ProvidersSection.OFFLINE + "/echo";

    static ModelRules of(SectionReader root, Map<String, Settings.Provider> readable) {
        List<String> named = root.ids(ProvidersSection.PROVIDERS);
        Set<String> providers = new LinkedHashSet<>(named);
        providers.add(ProvidersSection.OFFLINE);
        boolean configured = named.stream().anyMatch(id -> !id.equals(ProvidersSection.OFFLINE));
        return new ModelRules(providers, configured, readable);
    }

    /**
     * Checks the model that {@code setting} names by its id or by an alias, and returns its id.
     *
     * @param used whether anything would run on it
     */
    String checkModel(
            SectionReader section, Setting<String> setting, Optional<AgentSettings.Models> models, boolean used) {
        Optional<String> given = section.given(setting);
        if (given.isEmpty()) {
            if (section.contains(setting)) {
                return OFFLINE_MODEL;
            }
            if (configured && used) {
                section.problem(
                        setting, "is missing while providers are configured", "write a model id <provider>/<model>");
            } else if (used && models.isPresent() && !models.get().ids().contains(OFFLINE_MODEL)) {
                section.problem(
                        setting,
                        "is missing, and its default " + OFFLINE_MODEL + " is not among the models allowed",
                        "write one of " + String.join(", ", models.get().ids()));
            }
            return OFFLINE_MODEL;
        }
        String id = models.map(allowed -> allowed.aliases().get(given.get())).orElse(given.get());
        if (!ListTypes.MODEL_ID.matcher(id).matches()) {
            section.problem(
                    setting,
                    "is [" + given.get() + "], which is no model id" + (models.isPresent() ? " and no alias" : ""),
                    "write <provider>/<model>" + (models.isPresent() ? " or an alias of models" : ""));
            return OFFLINE_MODEL;
        }
        if (models.isPresent() && !models.get().ids().contains(id)) {
            section.problem(
                    setting,
                    "is [" + id + "], which is not among the models allowed",
                    "write one of " + String.join(", ", models.get().ids()) + ", or add it to models");
        } else if (!providers.contains(providerOf(id))) {
            section.problem(
                    setting,
                    "is [" + id + "], but there is no provider " + providerOf(id),
                    AgentsSection.suggest(providerOf(id), providers).replace("configure it", "add it below providers"));
        }
        return id;
    }

    /**
     * Checks the models that {@code setting} names for the time in which the provider of {@code model} is down, and returns
     * the ids of those that can be asked.
     */
    List<String> checkFallbacks(
            SectionReader section, Setting<List<String>> setting, String model, Optional<AgentSettings.Models> models) {
        Set<String> fallbacks = new LinkedHashSet<>();
        for (String name : section.given(setting).orElse(List.of())) {
            String id = models.map(allowed -> allowed.aliases().get(name)).orElse(name);
            if (!ListTypes.MODEL_ID.matcher(id).matches()) {
                section.problem(
                        setting,
                        "names [" + name + "], which is no model id" + (models.isPresent() ? " and no alias" : ""),
                        "write <provider>/<model>" + (models.isPresent() ? " or an alias of models" : ""));
            } else if (models.isPresent() && !models.get().ids().contains(id)) {
                section.problem(
                        setting,
                        "names [" + name + "], which is not among the models allowed",
                        "write some of " + String.join(", ", models.get().ids()) + ", or add it to models");
            } else if (!providers.contains(providerOf(id))) {
                section.problem(
                        setting,
                        "names [" + name + "], but there is no provider " + providerOf(id),
                        AgentsSection.suggest(providerOf(id), providers)
                                .replace("configure it", "add it below providers"));
            } else {
                fallbacks.add(id);
                warnOfSameProvider(section, setting, model, id);
            }
        }
        return List.copyOf(fallbacks);
    }

    private static void warnOfSameProvider(
            SectionReader section, Setting<List<String>> setting, String model, String fallback) {
        if (providerOf(fallback).equals(providerOf(model))) {
            section.warn(
                    setting,
                    "names [" + fallback + "], whose provider is that of the model " + model
                            + "; it is down at the same time");
        }
    }

    /** Checks that an agent's own allow-list has the inherited {@code fallbacks}, and returns them. */
    List<String> checkInheritedFallbacks(
            SectionReader row,
            Setting<List<String>> setting,
            String model,
            List<String> fallbacks,
            Optional<AgentSettings.Models> own) {
        for (String fallback : fallbacks) {
            if (own.isPresent() && !own.get().ids().contains(fallback)) {
                row.problem(
                        setting,
                        "is missing, and the inherited " + fallback + " is not among the agent's own models",
                        "write some of " + String.join(", ", own.get().ids()) + ", or [] for none");
            }
        }
        return fallbacks.stream().filter(fallback -> !fallback.equals(model)).toList();
    }

    /** Checks that an agent's own allow-list has the inherited {@code model}, and returns that model. */
    String checkInherited(
            SectionReader row, Setting<String> setting, String model, Optional<AgentSettings.Models> own) {
        if (own.isPresent() && !own.get().ids().contains(model)) {
            row.problem(
                    setting,
                    "is missing, and the inherited " + model + " is not among the agent's own models",
                    "write one of " + String.join(", ", own.get().ids()));
        }
        return model;
    }

    /** Warns of allowed models that have no provider. */
    void checkProviders(SectionReader section, Setting<AgentSettings.Models> setting, AgentSettings.Models models) {
        for (String id : models.ids()) {
            if (!providers.contains(providerOf(id))) {
                section.warn(
                        setting,
                        "allows " + id + ", but there is no provider " + providerOf(id) + "; runs on it will fail");
            }
        }
    }

    /** The thinking levels of {@code model}. */
    List<String> levels(String model) {
        return Settings.thinkingLevels(readable, model);
    }

    /** Checks a thinking level against those of its model. */
    void checkThinking(SectionReader section, Setting<String> setting, String level, String model) {
        if (!levels(model).contains(level)) {
            section.problem(
                    setting,
                    "is [" + level + "], which is no level of " + model,
                    AgentsSection.suggest(level, levels(model))
                            .replace("configure it", "add it to thinkingLevels of providers." + providerOf(model)));
        }
    }

    /** Warns of {@code tools} that have no effect because {@code model} is no chat model. */
    void checkTools(SectionReader tools, Setting<List<String>> setting, String model) {
        Settings.Provider provider = readable.get(providerOf(model));
        if (tools.contains(setting) && provider != null && provider.baseUrl() == null) {
            tools.warn(
                    setting,
                    "has no use on " + model + ", as providers of kind " + provider.kind()
                            + " take no tools; only turns that name a chat model have them");
        }
    }

    private static String providerOf(String id) {
        return id.substring(0, id.indexOf('/'));
    }
}
