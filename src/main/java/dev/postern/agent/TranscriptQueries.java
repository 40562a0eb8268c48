package dev.postern.agent;

import dev.postern.agent.TranscriptRepository.Role;
import dev.postern.model.SessionId;
import dev.postern.store.ResultRow;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was said in sessions, for the operator. Only reads. */
public final class TranscriptQueries {

    private static final String LATEST =
            """
            SELECT seq, role, substr(text, 1, ?) AS beginning, length(text) AS characters, run_id, created_at FROM turn
            WHERE session_key = ? AND seq < ? ORDER BY seq DESC LIMIT ?""";

    private final Store store;

    /** The transcripts in {@code store}. */
    public TranscriptQueries(Store store) {
        this.store = store;
    }

    /**
     * How much to show.
     *
     * @param most lines
     * @param longest characters of one line
     * @param characters of all lines together, unless one alone has more
     */
    public record Bounds(int most, int longest, int characters) {}

    /**
     * One thing that was said.
     *
     * @param number in the session's order
     * @param text the user's as the backend got it, the agent's as it gave it, or its beginning
     * @param leftOut how many characters follow it
     * @param turnId the run's id, or a heartbeat's
     */
    public record Said(long number, Role role, String text, long leftOut, @Nullable String turnId, Instant at) {}

    /**
     * Some of a session.
     *
     * @param lines the oldest first
     * @param older the number before which there is more; null where there is none
     */
    public record Part(List<Said> lines, @Nullable Long older) {

        public Part {
            lines = List.copyOf(lines);
        }
    }

    /**
     * What was said last in {@code session}.
     *
     * @param before only what has a smaller number than this; null for the end
     */
    public Part latest(SessionId session, @Nullable Long before, Bounds bounds) throws StoreException {
        long end = before == null ? Long.MAX_VALUE : before;
        List<Said> newestFirst = store.read(sql ->
                sql.query(LATEST, TranscriptQueries::said, bounds.longest(), session.value(), end, bounds.most() + 1));
        List<Said> lines = new ArrayList<>();
        int characters = 0;
        for (Said said : newestFirst) {
            characters += said.text().length();
            if (lines.size() == bounds.most() || (!lines.isEmpty() && characters > bounds.characters())) {
                break;
            }
            lines.add(said);
        }
        boolean more = lines.size() < newestFirst.size();
        Collections.reverse(lines);
        return new Part(lines, more ? lines.get(0).number() : null);
    }

    private static Said said(ResultRow row) throws SQLException {
        String beginning = row.text("beginning");
        return new Said(
                row.number("seq"),
                Role.of(row.text("role")),
                beginning,
                row.number("characters") - beginning.codePointCount(0, beginning.length()),
                row.textOrNull("run_id"),
                row.instant("created_at"));
    }
}
