package dev.postern.console;

import dev.postern.model.IdGenerator;
import dev.postern.model.StorableText;
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
 * What operators had done: in the database for 400 days, and in the server's log. It is written before the act, since one that
 * nobody can account for must not be done, and what came of it is added after.
 */
final class AuditLog {

    private static final Logger LOG = System.getLogger(AuditLog.class.getName());
    private static final Duration KEPT = Duration.ofDays(400);
    /** Past every id. */
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
     * One act.
     *
     * @param who the user's name
     * @param client the address of the user's browser or program
     * @param act the kind of thing and the verb, such as {@code runs/cancel}
     * @param subject the thing's id
     * @param outcome a sentence; null where it is not known, since the act was never ended
     */
    record Entry(
            String id, Instant at, String who, String client, String act, String subject, @Nullable String outcome) {}

    /**
     * Notes an act that is about to be done.
     *
     * @return what the entry is called
     */
    String begin(String who, String client, String act, String subject) throws StoreException {
        long now = clock.millis();
        String id = idGenerator.of("act");
        store.writeAndWait(sql -> {
            sql.update("DELETE FROM audit WHERE at < ?", now - KEPT.toMillis());
            return sql.update(
                    "INSERT INTO audit (id, at, who, client, act, subject) VALUES (?, ?, ?, ?, ?, ?)",
                    id,
                    now,
                    StorableText.of(who),
                    client,
                    act,
                    StorableText.of(subject));
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
     * Adds what came of the act. It is done by now, so that a database that has gone away meanwhile doesn't make a failure of
     * it: then the entry goes on saying that the outcome is not known.
     */
    void end(String id, String outcome) {
        LOG.log(Level.INFO, "{0}: {1}", id, onOneLine(outcome));
        try {
            store.writeAndWait(
                    sql -> sql.update("UPDATE audit SET outcome = ? WHERE id = ?", StorableText.of(outcome), id));
        } catch (StoreException e) {
            LOG.log(Level.WARNING, "What came of " + id + " could not be added to the audit log", e);
        }
    }

    /**
     * The latest acts, the latest first.
     *
     * @param before only those earlier than the one called so; null for all
     */
    List<Entry> latest(@Nullable String before, int most) throws StoreException {
        return store.read(sql -> sql.query(
                "SELECT id, at, who, client, act, subject, outcome FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?",
                AuditLog::entry,
                before == null ? LAST : before,
                most));
    }

    private static Entry entry(ResultRow row) throws SQLException {
        return new Entry(
                row.text("id"),
                row.instant("at"),
                row.text("who"),
                row.text("client"),
                row.text("act"),
                row.text("subject"),
                row.textOrNull("outcome"));
    }

    private static String onOneLine(String text) {
        return VisibleText.text(text).replace('\n', ' ').replace('\t', ' ');
    }
}
