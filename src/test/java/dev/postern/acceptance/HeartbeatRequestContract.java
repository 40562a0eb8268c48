package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.OperatorResult;
import dev.postern.model.WakeMode;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of an operator's heartbeat request, on every database. */
abstract class HeartbeatRequestContract {

    @TempDir
    Path home;

    private AcceptanceFixture fixture;

    abstract TestDatabases.Opener database(Path home);

    @BeforeEach
    void open() throws Exception {
        fixture = new AcceptanceFixture(database(home));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void changesNothingWhileOneIsUnderWay() throws Exception {
        ask();
        ClaimedHeartbeat beat = claim().orElseThrow();

        assertThat(ask()).isInstanceOf(OperatorResult.Conflict.class);

        assertThat(fixture.heartbeatState().askedFor()).isNull();
        assertThat(fixture.<Boolean>write(
                        sql -> fixture.heartbeatRepository.finish(sql, beat, List.of(), fixture.now())))
                .isTrue();
        assertThat(claim()).isEmpty();
    }

    @Test
    void isDueAtOnceWhereNothingEverCameIn() throws Exception {
        assertThat(ask()).isInstanceOf(OperatorResult.Done.class);

        assertThat(fixture.heartbeatState().askedFor()).isEqualTo(fixture.now());
        assertThat(claim().orElseThrow().askedFor()).isTrue();
    }

    @Test
    void isDueBeforeAnotherThatIsToCome() throws Exception {
        fixture.wake("look", WakeMode.NOW);
        assertThat(claim()).isEmpty();

        assertThat(ask()).isInstanceOf(OperatorResult.Done.class);

        assertThat(claim()).isPresent();
    }

    @Test
    void isDueAtOnceAfterOneThatHasFailed() throws Exception {
        ask();
        ClaimedHeartbeat beat = claim().orElseThrow();
        fixture.<Boolean>write(sql -> fixture.heartbeatRepository.fail(
                sql, beat, fixture.now().plusSeconds(20), fixture.now().plusSeconds(10)));
        assertThat(claim()).isEmpty();

        assertThat(ask()).isInstanceOf(OperatorResult.Done.class);

        assertThat(claim().orElseThrow().failures()).isEqualTo(1);
    }

    @Test
    void isDueOnceTheRunThatHoldsTheSessionLockHasEnded() throws Exception {
        fixture.queue("main:main");
        ClaimedRun run = fixture.claimOne();

        assertThat(ask()).isInstanceOf(OperatorResult.Done.class);

        assertThat(claim()).isEmpty();
        assertThat(fixture.<Boolean>write(sql -> fixture.runRepository.release(sql, run, null)))
                .isTrue();
        assertThat(claim()).isPresent();
    }

    private OperatorResult ask() throws StoreException {
        return fixture.write(sql -> HeartbeatRequest.ask(sql, AcceptanceFixture.AGENT, fixture.now()));
    }

    private Optional<ClaimedHeartbeat> claim() throws StoreException {
        return fixture.write(
                sql -> fixture.heartbeatRepository.claim(sql, "node", AcceptanceFixture.AGENT, fixture.now(), false));
    }
}
