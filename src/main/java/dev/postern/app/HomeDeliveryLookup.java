package dev.postern.app;

import dev.postern.acceptance.DeliveryLookup;
import dev.postern.config.Settings;
import dev.postern.store.ReadOnlyStore;
import dev.postern.store.StoreException;
import java.util.HashMap;
import java.util.Map;

/**
 * A lookup for commands in the database of a configuration, which may be that of a running Postern. It opens the database only
 * when it is asked, and reads each delivery once. For one thread at a time.
 */
final class HomeDeliveryLookup implements DeliveryLookup {

    private final Settings settings;
    private final Map<String, Presence> found = new HashMap<>();

    HomeDeliveryLookup(Settings settings) {
        this.settings = settings;
    }

    @Override
    public Presence presence(String id) {
        return found.computeIfAbsent(id, this::read);
    }

    private Presence read(String id) {
        Settings.Database database = settings.database();
        try (ReadOnlyStore store =
                ReadOnlyStore.open(database.url(), database.username(), database.password(), settings.home())) {
            return DeliveryLookup.in(store).presence(id);
        } catch (StoreException e) {
            return Presence.UNKNOWN;
        }
    }
}
