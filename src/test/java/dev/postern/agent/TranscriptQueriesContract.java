package dev.postern.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.agent.TranscriptQueries.Bounds;
import dev.postern.agent.TranscriptQueries.TranscriptLine;
import dev.postern.agent.TranscriptQueries.TranscriptPage;
import dev.postern.agent.TranscriptRepository.Role;
import dev.postern.model.Provenance;
import dev.postern.model.SessionId;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The transcripts that an operator sees, on every database. */
abstract class TranscriptQueriesContract {

    private static final SessionId SESSION = new SessionId("hook:1");
    private static final Bounds BOUNDS = new Bounds(4, 100, 1_000);

    @TempDir
    Path home;

    private Store store;
    private TranscriptQueries transcriptQueries;

    abstract TestDatabases.Opener database(Path home);

    @BeforeEach
    void open() throws StoreException {
        store = database(home).open(InstantSource.system());
        transcriptQueries = new TranscriptQueries(store);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void saysThatTheDatabaseIsGone() {
        store.close();

        assertThatThrownBy(() -> transcriptQueries.latest(SESSION, null, BOUNDS))
                .isInstanceOf(StoreException.class);
    }

    @Test
    void showsNothingOfASessionThatIsNew() throws StoreException {
        append("hello", "hi");

        assertThat(transcriptQueries.latest(new SessionId("hook:2"), null, BOUNDS))
                .isEqualTo(new TranscriptPage(List.of(), null));
        assertThat(transcriptQueries
                        .latest(new SessionId("' OR 1 = 1 --"), null, BOUNDS)
                        .lines())
                .isEmpty();
    }

    @Test
    void showsLatestLinesInOrderAndEarlierLinesOnRequest() throws StoreException {
        for (int i = 0; i < 5; i++) {
            append("m" + i, "r" + i);
        }

        List<List<String>> parts = new ArrayList<>();
        @Nullable Long before = null;
        do {
            TranscriptPage transcriptPage = transcriptQueries.latest(SESSION, before, BOUNDS);
            parts.add(transcriptPage.lines().stream().map(TranscriptLine::text).toList());
            before = transcriptPage.older();
        } while (before != null);

        assertThat(parts)
                .containsExactly(List.of("m3", "r3", "m4", "r4"), List.of("m1", "r1", "m2", "r2"), List.of("m0", "r0"));
    }

    @Test
    void showsTheBeginningOfALongLine() throws StoreException {
        append("😀".repeat(101), "<b>");

        List<TranscriptLine> lines =
                transcriptQueries.latest(SESSION, null, BOUNDS).lines();

        assertThat(lines)
                .containsExactly(
                        new TranscriptLine(1, Role.USER, "😀".repeat(100), 1, "run_1", Instant.EPOCH),
                        new TranscriptLine(2, Role.ASSISTANT, "<b>", 0, "run_1", Instant.EPOCH));
    }

    @Test
    void showsFewerLinesWhereTheyAreLongAndOneAtLeast() throws StoreException {
        append("x".repeat(60), "y".repeat(60));

        TranscriptPage both = transcriptQueries.latest(SESSION, null, new Bounds(4, 100, 120));
        TranscriptPage one = transcriptQueries.latest(SESSION, null, new Bounds(4, 100, 10));

        assertThat(both.lines()).hasSize(2);
        assertThat(both.older()).isNull();
        assertThat(one.lines()).extracting(TranscriptLine::role).containsExactly(Role.ASSISTANT);
        assertThat(one.older()).isEqualTo(2);
        assertThat(transcriptQueries.latest(SESSION, one.older(), BOUNDS).lines())
                .extracting(TranscriptLine::role)
                .containsExactly(Role.USER);
    }

    private void append(String message, String reply) throws StoreException {
        store.writeAndWait(sql -> {
            PromptText said = PromptText.of(new Provenance("agent", true), message, null);
            new TranscriptRepository().append(sql, SESSION, "run_1", said, reply, Instant.EPOCH);
            return true;
        });
    }
}
