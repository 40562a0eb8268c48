package dev.postern.config;

import dev.postern.model.NearestName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The rules for the prices of models: each has to be the price of a model that a turn can have. */
final class PriceRules {

    private PriceRules() {}

    /**
     * Checks the prices of all providers in {@code root}. A price of a model that no turn can have is a problem. Where a request
     * may name any model, a price that looks like a slip is a warning.
     *
     * @param named the ids of the models that other settings name
     */
    static void check(
            SectionReader root, Map<String, Settings.Provider> providers, AgentSettings agents, Set<String> named) {
        boolean open = agents.list().stream().anyMatch(agent -> agent.models().isEmpty());
        root.entries(ProvidersSection.PROVIDERS).forEach((id, entry) -> {
            Settings.Provider provider = providers.get(id);
            if (provider != null) {
                List<String> own = named.stream()
                        .filter(each -> each.startsWith(id + "/"))
                        .map(each -> each.substring(id.length() + 1))
                        .toList();
                provider.prices().keySet().forEach(model -> check(entry, model, own, open));
            }
        });
    }

    private static void check(SectionReader entry, String model, List<String> own, boolean open) {
        if (own.contains(model)) {
            return;
        }
        Optional<String> near = NearestName.of(model, own).map(each -> "did you mean " + each + "?");
        if (!open) {
            entry.problem(
                    ProvidersSection.PRICES,
                    "has a price for [" + model + "], a model that no turn can have",
                    near.orElse("remove it, or add the model to agents.defaults.models"));
        } else if (near.isPresent()) {
            entry.warn(
                    ProvidersSection.PRICES,
                    "has a price for [" + model + "], a model that no other setting names; " + near.get());
        }
    }
}
