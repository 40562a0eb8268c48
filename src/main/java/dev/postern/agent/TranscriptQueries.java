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

/** Queries of the transcripts of sessions, for the operator. They only read. */
public final class TranscriptQueries {

    private static final String LATEST =
            """
            SELECT seq, role, substr(text, 1, ?) AS beginning, length(text) AS characters, run_id, created_at FROM turn
            WHERE session_key = ? AND seq < ? ORDER BY seq DESC LIMIT ?""";

    private final Store store;

    /** Creates queries of the transcripts in {@code store}. */
    public TranscriptQueries(Store store) {
        this.store = store;
    }

    /**
     * The limits of a query.
     *
     * @param most the most lines
     * @param longest the most characters of one line
     * @param characters the most characters of all lines together, unless one alone has more
     */
    public record Bounds(int most, int longest, int characters) {}

    /**
     * A line of a transcript.
     *
     * @param number the line's position in the session's order
     * @param text the user's as the backend got it, the agent's as it gave it, or its beginning
     * @param leftOut the number of characters that follow the text
     * @param turnId the id of the run or the heartbeat
     */
    public record TranscriptLine(
            long number, Role role, String text, long leftOut, @Nullable String turnId, Instant at) {}

    /**
     * A part of a session's transcript.
     *
     * @param lines oldest first
     * @param older the number before which there are more lines; null if there are none
     */
    public record TranscriptPage(List<TranscriptLine> lines, @Nullable Long older) {

        public TranscriptPage {
            lines = List.copyOf(lines);
        }
    }

    /**
     * The last lines of {@code session}.
     *
     * @param before only lines with a smaller number than this; null for the end of the session
     */
    public TranscriptPage latest(SessionId session, @Nullable Long before, Bounds bounds) throws StoreException {
        long end = before == null ? Long.MAX_VALUE : before;
        List<TranscriptLine> newestFirst = store.read(sql ->
                sql.query(LATEST, TranscriptQueries::said, bounds.longest(), session.value(), end, bounds.most() + 1));
        List<TranscriptLine> lines = new ArrayList<>();
        int characters = 0;
        for (TranscriptLine transcriptLine : newestFirst) {
            characters += transcriptLine.text().length();
            if (lines.size() == bounds.most() || (!lines.isEmpty() && characters > bounds.characters())) {
                break;
            }
            lines.add(transcriptLine);
        }
        boolean more = lines.size() < newestFirst.size();
        Collections.reverse(lines);
        return new TranscriptPage(lines, more ? lines.get(0).number() : null);
    }

    private static TranscriptLine said(ResultRow row) throws SQLException {
        String beginning = row.text("beginning");
        return new TranscriptLine(
                row.number("seq"),
                Role.of(row.text("role")),
                beginning,
                row.number("characters") - beginning.codePointCount(0, beginning.length()),
                row.textOrNull("run_id"),
                row.instant("created_at"));
    }
}
