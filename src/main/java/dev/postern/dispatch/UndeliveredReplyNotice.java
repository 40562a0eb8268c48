package dev.postern.dispatch;

import dev.postern.acceptance.EventRepository;
import dev.postern.channel.UndeliveredReplyListener;
import dev.postern.model.Provenance;
import dev.postern.model.RunId;
import dev.postern.model.WakeMode;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A notice in an agent's main session about a reply that reached no recipient. It requests no heartbeat: the reply of
 * that heartbeat would fail in the same way, and request the next one.
 */
final class UndeliveredReplyNotice implements UndeliveredReplyListener {

    private static final Provenance DELIVERY = Provenance.untrusted("delivery");

    private final EventRepository eventRepository;

    UndeliveredReplyNotice(EventRepository eventRepository) {
        this.eventRepository = eventRepository;
    }

    @Override
    public void onUndelivered(SqlTransaction sql, String agentId, @Nullable String runId, String line)
            throws SQLException {
        RunId run = runId == null ? null : new RunId(runId);
        eventRepository.post(sql, agentId, line, DELIVERY, run, WakeMode.NEXT_HEARTBEAT);
    }
}
