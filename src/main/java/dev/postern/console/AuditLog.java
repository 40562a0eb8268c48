package dev.postern.console;

import dev.postern.model.IdGenerator;
import dev.postern.model.StorableText;
import dev.postern.model.VisibleText;
import dev.postern.store.ResultRow;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A log of the operators' actions, kept in the database for 400 days and written to the server's log too. An entry is written
 * before its action, since an action that is not recorded must not happen. The outcome is added afterwards.
 */
final class AuditLog {

    private static final Logger LOG = System.getLogger(AuditLog.class.getName());
    private static final Duration KEPT = Duration.ofDays(400);
    private static final String INSERT =
            """
            INSERT INTO audit (id, at, who, client, act, subject, sender) VALUES (?, ?, ?, ?, ?, ?,
            (SELECT sender FROM (SELECT sender FROM run WHERE id = ? UNION ALL SELECT sender FROM request WHERE id = ?)
            AS found WHERE sender IS NOT NULL LIMIT 1))""";

    private static final String LATEST = "SELECT id, at, who, client, act, subject, sender, outcome FROM audit"
            + " WHERE id < ? ORDER BY id DESC LIMIT ?";

    /** An id that sorts after every other. */
    private static final String LAST = "act_" + "z".repeat(27);

    private final Store store;
    private final InstantSource clock;
    private final IdGenerator idGenerator;

    AuditLog(Store store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
        this.idGenerator = new IdGenerator(clock);
    }

    /**
     * An operator's action.
     *
     * @param who the user's name
     * @param client the address of the user's browser or program
     * @param act the kind of the subject and a verb, such as {@code runs/cancel}
     * @param subject the id of the run, delivery, agent or client
     * @param sender the id of the sender whose own token admitted the request of the subject; null for any other
     * @param outcome a sentence; null where it is unknown, since the action was never completed
     */
    record Entry(
            String id,
            Instant at,
            String who,
            String client,
            String act,
            String subject,
            @Nullable String sender,
            @Nullable String outcome) {}

    /**
     * Records an action that is about to be performed.
     *
     * @return the entry's id
     */
    String begin(String who, String client, String act, String subject) throws StoreException {
        long now = clock.millis();
        String id = idGenerator.of("act");
        String subjectId = StorableText.of(subject);
        store.writeAndWait(sql -> {
            sql.update("DELETE FROM audit WHERE at < ?", now - KEPT.toMillis());
            return sql.update(INSERT, id, now, StorableText.of(who), client, act, subjectId, subjectId, subjectId);
        });
        LOG.log(
                Level.INFO,
                "User {0} at {1} begins {2} on {3} ({4})",
                onOneLine(who),
                client,
                act,
                onOneLine(subject),
                id);
        return id;
    }

    /**
     * Adds the action's outcome. The action has been performed by now, so that a database that is away meanwhile does not
     * make it fail: the entry then keeps saying that the outcome is unknown.
     */
    void end(String id, String outcome) {
        LOG.log(Level.INFO, "{0}: {1}", id, onOneLine(outcome));
        try {
            store.writeAndWait(
                    sql -> sql.update("UPDATE audit SET outcome = ? WHERE id = ?", StorableText.of(outcome), id));
        } catch (StoreException e) {
            LOG.log(Level.WARNING, "The outcome of " + id + " could not be added to the audit log", e);
        }
    }

    /**
     * The latest actions, the latest first.
     *
     * @param before the id of an entry: only earlier ones are returned; null for all
     * @param most the largest number of entries
     */
    List<Entry> latest(@Nullable String before, int most) throws StoreException {
        return store.read(sql -> sql.query(LATEST, AuditLog::entry, before == null ? LAST : before, most));
    }

    private static Entry entry(ResultRow row) throws SQLException {
        return new Entry(
                row.text("id"),
                row.instant("at"),
                row.text("who"),
                row.text("client"),
                row.text("act"),
                row.text("subject"),
                row.textOrNull("sender"),
                row.textOrNull("outcome"));
    }

    private static String onOneLine(String text) {
        return VisibleText.text(text).replace('\n', ' ').replace('\t', ' ');
    }
}
