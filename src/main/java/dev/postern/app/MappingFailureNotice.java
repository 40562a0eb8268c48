package dev.postern.app;

import dev.postern.channel.EventReporter;
import dev.postern.model.ErrorCode;
import dev.postern.model.ReportedEventType;
import dev.postern.model.RequestLogEntry;
import dev.postern.requests.StoredRequestListener;
import dev.postern.store.SqlTransaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A notice about requests of which a mapping could make nothing, as events for their subscribers: one a minute for each
 * mapping at most, with the number of failures since the last one.
 */
final class MappingFailureNotice implements StoredRequestListener {

    private static final long PAUSE = Duration.ofMinutes(1).toNanos();

    private final EventReporter eventReporter;
    private final LongSupplier nanos;
    private final Map<String, Failures> byMapping = new HashMap<>();

    /** @param nanos as {@link System#nanoTime} */
    MappingFailureNotice(EventReporter eventReporter, LongSupplier nanos) {
        this.eventReporter = eventReporter;
        this.nanos = nanos;
    }

    @Override
    public void onStored(SqlTransaction sql, RequestLogEntry entry) throws SQLException {
        if (!entry.code().equals(ErrorCode.SCRIPT_FAILED.wire())
                || !eventReporter.isWanted(ReportedEventType.MAPPING_FAILED)) {
            return;
        }
        long failures = due(entry.mapping());
        sql.afterRollback(() -> forget(entry.mapping(), failures));
        if (failures == 0) {
            return;
        }
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("mapping", entry.mapping());
        data.put("hook", entry.hook());
        data.put("requestId", entry.requestId());
        data.put("status", entry.status());
        data.put("failures", failures);
        eventReporter.report(sql, ReportedEventType.MAPPING_FAILED, data, entry.at());
    }

    /** The number of failures to report with this one; 0 if the last report was less than a minute ago. */
    private synchronized long due(String mapping) {
        long now = nanos.getAsLong();
        Failures before = byMapping.get(mapping);
        if (before != null && now - before.reportedAt() < PAUSE) {
            byMapping.put(mapping, new Failures(before.reportedAt(), before.unreported() + 1));
            return 0;
        }
        byMapping.put(mapping, new Failures(now, 0));
        return before == null ? 1 : before.unreported() + 1;
    }

    /** Forgets a failure that was not stored, which was to be reported as the last of {@code failures}; 0 if it was not. */
    private synchronized void forget(String mapping, long failures) {
        byMapping.computeIfPresent(
                mapping,
                (id, now) -> failures == 0
                        ? new Failures(now.reportedAt(), now.unreported() - 1)
                        : new Failures(now.reportedAt() - PAUSE, now.unreported() + failures - 1));
    }

    private record Failures(long reportedAt, long unreported) {}
}
