package dev.postern.acceptance;

import dev.postern.store.StoreException;
import dev.postern.store.StoreReader;

/** A lookup of deliveries, which tells whether a mark that an event carries is this Postern's. */
@FunctionalInterface
public interface DeliveryLookup {

    /** The presence of a delivery in the database. */
    enum Presence {
        /** The database has the delivery. */
        PRESENT,
        /** The database does not have it, or no longer. */
        ABSENT,
        /** The database can't be asked. */
        UNKNOWN
    }

    /** The presence of the delivery {@code id}, of any kind. */
    Presence presence(String id);

    /** A lookup in the database that {@code store} reads. */
    static DeliveryLookup in(StoreReader store) {
        return id -> {
            try {
                return store.read(sql -> sql.first("SELECT id FROM delivery WHERE id = ?", row -> row.text("id"), id))
                                .isPresent()
                        ? Presence.PRESENT
                        : Presence.ABSENT;
            } catch (StoreException e) {
                return Presence.UNKNOWN;
            }
        };
    }

    /** A lookup without a database. */
    static DeliveryLookup none() {
        return id -> Presence.UNKNOWN;
    }
}
