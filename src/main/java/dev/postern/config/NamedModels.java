package dev.postern.config;

import dev.postern.config.MappingSettings.Text;
import dev.postern.config.MappingSettings.TextField;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A collector of the models that settings name. */
final class NamedModels {

    private NamedModels() {}

    /**
     * The ids of the models that agents, mappings and senders name, aliases resolved. A request may name further models where
     * an agent has no list of them.
     */
    static Set<String> of(AgentSettings agents, HookSettings hooks, Collection<SenderSettings> senders) {
        List<String> names = new ArrayList<>();
        for (MappingSettings mapping : hooks.mappings()) {
            @Nullable Text model = mapping.texts().get(TextField.MODEL);
            if (model != null && !model.isTemplated()) {
                names.add(model.template());
            }
            mapping.turn().fallbacks().ifPresent(names::addAll);
        }
        for (SenderSettings sender : senders) {
            sender.scope().models().ifPresent(names::addAll);
        }
        Set<String> ids = new LinkedHashSet<>(agents.defaults().fallbacks());
        ids.add(agents.defaults().model());
        agents.defaults().models().ifPresent(models -> ids.addAll(models.ids()));
        for (AgentSettings.Agent agent : agents.list()) {
            ids.add(agent.model());
            ids.addAll(agent.fallbacks());
            agent.models().ifPresent(models -> ids.addAll(models.ids()));
            ids.addAll(agent.allowed(names));
        }
        return ids;
    }
}
