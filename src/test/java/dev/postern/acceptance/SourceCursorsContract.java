package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.postern.acceptance.SourceCursors.Move;
import dev.postern.acceptance.SourceCursors.Reader;
import dev.postern.model.HookResult;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of the cursors of sources that a node reads by itself, on every database. */
abstract class SourceCursorsContract {

    private static final String SOURCE = "mail me@example.com";

    @TempDir
    Path home;

    private AcceptanceFixture fixture;
    private SourceCursors sourceCursors;

    abstract TestDatabases.Opener database(Path home);

    @BeforeEach
    void open() throws Exception {
        fixture = new AcceptanceFixture(database(home), 3);
        sourceCursors = new SourceCursors(fixture.store, fixture.clock);
        enter("one");
        enter("two");
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void reportsAnUnknownReaderWhileTheDatabaseIsAway() {
        fixture.store.close();

        assertThat(sourceCursors.take(SOURCE, "one")).isEqualTo(new Reader.Unknown());
        assertThat(sourceCursors.move(advance("one", null, "1"))).isEqualTo(Move.UNKNOWN);
        assertThatCode(() -> sourceCursors.release(SOURCE, "one")).doesNotThrowAnyException();
    }

    @Test
    void hasOneReaderUntilItsNodeIsGone() throws Exception {
        assertThat(sourceCursors.take(SOURCE, "one")).isEqualTo(self(null));
        assertThat(sourceCursors.take(SOURCE, "two")).isEqualTo(new Reader.Other());
        assertThat(sourceCursors.take("another source", "two")).isEqualTo(self(null));
        assertThat(sourceCursors.move(advance("one", null, "1"))).isEqualTo(Move.MOVED);

        leave("one");

        assertThat(sourceCursors.take(SOURCE, "two")).isEqualTo(self("1"));
        assertThat(sourceCursors.take(SOURCE, "one")).isEqualTo(new Reader.Other());
        assertThat(sourceCursors.move(advance("one", "1", "2"))).isEqualTo(Move.SUPERSEDED);
        assertThat(sourceCursors.move(advance("two", "1", "2"))).isEqualTo(Move.MOVED);
    }

    @Test
    void hasNoReaderOnceThatOneReleasesIt() {
        sourceCursors.take(SOURCE, "one");
        sourceCursors.move(advance("one", null, "1"));

        sourceCursors.release(SOURCE, "two");
        assertThat(sourceCursors.take(SOURCE, "two")).isEqualTo(new Reader.Other());

        sourceCursors.release(SOURCE, "one");
        assertThat(sourceCursors.move(advance("one", "1", "2"))).isEqualTo(Move.SUPERSEDED);
        assertThat(sourceCursors.take(SOURCE, "two")).isEqualTo(self("1"));
        assertThat(sourceCursors.take(SOURCE, "one")).isEqualTo(new Reader.Other());
    }

    @Test
    void keepsTheTimeWhenItWasFirstAskedForUntilItMoves() throws Exception {
        Instant start = fixture.clock.instant();
        sourceCursors.take(SOURCE, "one");
        fixture.clock.advance(Duration.ofMinutes(1));
        sourceCursors.release(SOURCE, "one");

        assertThat(sourceCursors.take(SOURCE, "one")).isEqualTo(new Reader.Self(null, start));
        leave("one");
        assertThat(sourceCursors.take(SOURCE, "two")).isEqualTo(new Reader.Self(null, start));
        assertThat(sourceCursors.take(SOURCE, "two")).isEqualTo(new Reader.Self(null, start));

        sourceCursors.move(advance("two", null, "1"));
        assertThat(sourceCursors.take(SOURCE, "two")).isEqualTo(new Reader.Self("1", start.plusSeconds(60)));
    }

    @Test
    void isNotTakenByANodeThatWasTakenForDead() throws Exception {
        leave("one");

        assertThat(sourceCursors.take(SOURCE, "one")).isEqualTo(new Reader.Other());
    }

    @Test
    void movesWithWhatIsAcceptedAndNotWithoutIt() throws Exception {
        sourceCursors.take(SOURCE, "one");

        assertThat(accept("hook:a", "key-1", advance("one", null, "1"))).isInstanceOf(HookResult.Accepted.class);
        assertThat(accept("hook:b", "key-2", advance("one", null, "2"))).isEqualTo(new HookResult.Superseded());
        assertThat(accept("hook:b", "key-2", advance("two", "1", "2"))).isEqualTo(new HookResult.Superseded());
        assertThat(sourceCursors.take(SOURCE, "one")).isEqualTo(self("1"));
        assertThat(fixture.intake.pending()).isEqualTo(1);

        assertThat(accept("hook:b", "key-2", advance("one", "1", "2")))
                .isInstanceOfSatisfying(HookResult.Accepted.class, accepted -> assertThat(accepted.replayed())
                        .isFalse());
        assertThat(sourceCursors.take(SOURCE, "one")).isEqualTo(self("2"));
    }

    @Test
    void staysWhereItIsWhileThereIsNoRoom() {
        sourceCursors.take(SOURCE, "one");
        fixture.queue("hook:a");
        fixture.queue("hook:b");
        fixture.queue("hook:c");

        assertThat(accept("hook:c", "key-1", advance("one", null, "1"))).isInstanceOf(HookResult.Overloaded.class);
        assertThat(accept("hook:c", null, advance("one", null, "1"))).isInstanceOf(HookResult.Overloaded.class);
        assertThat(sourceCursors.take(SOURCE, "one")).isEqualTo(self(null));
    }

    @Test
    void movesBehindWhatWasAcceptedBefore() {
        sourceCursors.take(SOURCE, "one");
        fixture.intake.accept(AcceptanceFixture.keyed("key-1", 1, AcceptanceFixture.turn("hook:a")));
        fixture.intake.accept(AcceptanceFixture.keyed("key-2", 2, AcceptanceFixture.turn("hook:a")));

        assertThat(accept("hook:a", "key-1", advance("one", null, "1")))
                .isInstanceOfSatisfying(HookResult.Accepted.class, accepted -> assertThat(accepted.replayed())
                        .isTrue());
        assertThat(accept("hook:a", "key-2", advance("one", "1", "2"))).isEqualTo(new HookResult.IdempotencyConflict());
        assertThat(sourceCursors.take(SOURCE, "one")).isEqualTo(self("2"));
    }

    private HookResult accept(String session, @Nullable String key, CursorUpdate cursorUpdate) {
        IdempotencyKey idempotency = key == null ? null : new IdempotencyKey(key, new byte[] {1});
        return fixture.intake.accept(new Submission(
                List.of(AcceptanceFixture.turn(session)), idempotency, 17, new byte[] {1, 2}, cursorUpdate, null));
    }

    /** The reader of a source whose cursor was last moved at the moment of the clock. */
    private Reader self(@Nullable String place) {
        return new Reader.Self(place, fixture.clock.instant());
    }

    private static CursorUpdate advance(String reader, @Nullable String from, String to) {
        return new CursorUpdate(SOURCE, reader, from, to);
    }

    private void enter(String node) throws StoreException {
        fixture.write(sql -> sql.update("INSERT INTO node (id, started_at, seen_at) VALUES (?, 0, 0)", node));
    }

    private void leave(String node) throws StoreException {
        fixture.write(sql -> sql.update("DELETE FROM node WHERE id = ?", node));
    }
}
