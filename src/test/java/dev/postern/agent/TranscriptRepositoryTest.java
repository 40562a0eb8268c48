package dev.postern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.Provenance;
import dev.postern.model.SessionId;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TranscriptRepositoryTest {

    private static final SessionId SESSION = new SessionId("hook:1");

    @TempDir
    Path home;

    private final TranscriptRepository transcript = new TranscriptRepository();
    private Store store;

    @BeforeEach
    void open() throws StoreException {
        store = TestDatabases.sqlite(home).open(InstantSource.system());
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void isEmptyForASessionThatIsNew() throws StoreException {
        assertThat(read(SESSION)).isEmpty();
    }

    @Test
    void keepsSessionsApart() throws StoreException {
        append(SESSION, "hello", "hi");
        append(new SessionId("hook:2"), "elsewhere", "there");

        assertThat(read(SESSION))
                .containsExactly(
                        new TranscriptRepository.Line(TranscriptRepository.Role.USER, "hello"),
                        new TranscriptRepository.Line(TranscriptRepository.Role.ASSISTANT, "hi"));
    }

    @Test
    void leavesOutWhatAnOlderProgramHasWrittenForAnotherAgent() throws StoreException {
        String run =
                "INSERT INTO run (id, session_key, seq, agent_id, state, attempts, message, name, wake_mode, deliver,"
                        + " channel, model, timeout_ms, hook, trusted, body_bytes, body_sha256, accepted_at)"
                        + " VALUES (?, 'hook:1', 1, ?, 'succeeded', 1, '', '', 'now', 1, 'last', 'm', 1, 'h', 0, 0, '', 1)";
        String turn =
                "INSERT INTO turn (session_key, seq, run_id, role, text, created_at) VALUES ('hook:1', ?, ?, 'user', ?, 1)";
        store.writeAndWait(sql -> {
            sql.update(run, "run_main", "main");
            sql.update(run, "run_other", "other");
            sql.update(turn, 1, "run_main", "mine");
            sql.update(turn, 2, "run_other", "another agent's");
            return sql.update(turn, 3, "beat_1", "a heartbeat's");
        });

        assertThat(texts()).containsExactly("mine", "a heartbeat's");
    }

    @Test
    void leavesOutTheOldestTurnsWholeWhenThereIsTooMuch() throws StoreException {
        append(SESSION, "old", "x".repeat(10));
        append(
                SESSION,
                "y".repeat(TranscriptRepository.MAX_LINE_CHARS - 60),
                "y".repeat(TranscriptRepository.MAX_LINE_CHARS - 40));
        append(SESSION, "new", "z".repeat(90));

        assertThat(texts()).first().asString().startsWith("yyy");
        assertThat(texts()).hasSize(4);

        append(SESSION, "newest", "z".repeat(90));

        assertThat(texts()).first().isEqualTo("new");
    }

    @Test
    void saysOfALineThatIsTooLongOnlyThatAndForgetsNothingForIt() throws StoreException {
        append(SESSION, "remember 7", "I do");
        append(SESSION, "y".repeat(TranscriptRepository.MAX_LINE_CHARS + 1), "much");

        assertThat(texts())
                .containsExactly(
                        "remember 7",
                        "I do",
                        "[left out: " + (TranscriptRepository.MAX_LINE_CHARS + 1) + " characters]",
                        "much");
    }

    @Test
    void keepsABoundedNumberOfTurns() throws StoreException {
        for (int i = 0; i < TranscriptRepository.MAX_TURNS + 5; i++) {
            append(SESSION, "m" + i, "r" + i);
        }

        assertThat(texts()).hasSize(2 * TranscriptRepository.MAX_TURNS).first().isEqualTo("m5");
        assertThat(store.<Long>read(sql -> sql.first("SELECT count(*) AS n FROM turn", row -> row.number("n"))
                        .orElseThrow()))
                .isEqualTo(2L * TranscriptRepository.MAX_TURNS);
    }

    @Test
    void dropsWhatIsTooOld() throws StoreException {
        store.writeAndWait(sql -> {
            transcript.append(sql, SESSION, "run_1", said("old"), "one", Instant.ofEpochSecond(1));
            transcript.append(sql, SESSION, "run_2", said("new"), "two", Instant.ofEpochSecond(2));
            return true;
        });

        assertThat(store.<Integer>writeAndWait(sql -> transcript.prune(sql, Instant.ofEpochSecond(2), 100)))
                .isEqualTo(2);
        assertThat(texts()).containsExactly("new", "two");
    }

    private void append(SessionId session, String message, String reply) throws StoreException {
        store.writeAndWait(sql -> {
            transcript.append(sql, session, "run_1", said(message), reply, Instant.EPOCH);
            return true;
        });
    }

    private static PromptText said(String message) {
        return PromptText.of(new Provenance("agent", true), message, null);
    }

    private List<String> texts() throws StoreException {
        return read(SESSION).stream().map(TranscriptRepository.Line::text).toList();
    }

    private List<TranscriptRepository.Line> read(SessionId session) throws StoreException {
        return store.read(sql -> transcript.read(sql, session));
    }
}
