package dev.postern.channel.vendor;

import dev.postern.store.ExpiredRows;
import dev.postern.store.SqlTransaction;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * The table of the mails that were sent within the last hour, by which a {@link MailRateLimit} counts: the nodes on one database
 * count together, and a restart forgets nothing. The parts and repeats of one delivery count once. A delivery takes one of
 * the address's slots, of which there are as many as it may get. So two nodes never take the same one, and an address has no
 * more rows.
 */
public final class SentMailTable implements MailRateLimit {

    private static final Duration WINDOW = Duration.ofHours(1);

    private static final String FIND =
            "SELECT slot, delivery_id FROM sent_mail WHERE channel = ? AND address = ? AND at > ?";

    private static final String TAKE =
            """
            INSERT INTO sent_mail (channel, address, slot, delivery_id, at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (channel, address, slot) DO UPDATE SET delivery_id = excluded.delivery_id, at = excluded.at
            WHERE sent_mail.at <= ?""";

    private static final String DELETE =
            """
            DELETE FROM sent_mail WHERE (channel, address, slot) IN
            (SELECT channel, address, slot FROM sent_mail WHERE at <= ? ORDER BY at LIMIT ?)""";

    private final Store store;
    private final String channel;
    private final int most;

    /**
     * @param channel the id of the channel
     * @param most the most deliveries to one address within an hour
     */
    SentMailTable(Store store, String channel, int most) {
        this.store = store;
        this.channel = channel;
        this.most = most;
    }

    /** A delivery of the last hour. */
    private record Sent(int slot, String deliveryId) {}

    @Override
    public boolean take(String address, String deliveryId) throws StoreException {
        return store.writeAndWait(sql -> take(sql, address.toLowerCase(Locale.ROOT), deliveryId));
    }

    private boolean take(SqlTransaction sql, String address, String deliveryId) throws SQLException {
        Instant now = store.clock().instant();
        long start = now.minus(WINDOW).toEpochMilli();
        List<Sent> sent =
                sql.query(FIND, row -> new Sent(row.count("slot"), row.text("delivery_id")), channel, address, start);
        if (sent.stream().anyMatch(each -> each.deliveryId().equals(deliveryId))) {
            return true;
        }
        if (sent.size() >= most) {
            return false;
        }
        for (int slot = 0; slot < most; slot++) {
            int wanted = slot;
            boolean isFree = sent.stream().noneMatch(each -> each.slot() == wanted);
            if (isFree && sql.update(TAKE, channel, address, slot, deliveryId, now.toEpochMilli(), start) > 0) {
                return true;
            }
        }
        return false;
    }

    /** The mails that count no more. */
    public static ExpiredRows expired() {
        return (sql, now, most) -> sql.update(DELETE, now.minus(WINDOW).toEpochMilli(), most) == most;
    }
}
