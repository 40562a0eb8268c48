package dev.postern.channel.vendor;

import dev.postern.store.StoreException;

/** A limit of the replies that one address gets within an hour, the last brake of a loop (RFC 3834, section 2). */
@FunctionalInterface
interface MailRateLimit {

    /** A limit for channels that send nothing. */
    MailRateLimit NOTHING = (address, deliveryId) -> false;

    /**
     * Counts the delivery {@code deliveryId} unless it is counted already; false if it is one too many.
     *
     * @param address a mail address, in any case
     */
    boolean take(String address, String deliveryId) throws StoreException;
}
