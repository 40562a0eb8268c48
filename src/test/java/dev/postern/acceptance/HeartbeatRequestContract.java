package dev.postern.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.OperatorResult;
import dev.postern.model.WakeMode;
import dev.postern.store.Databases;
import dev.postern.store.StoreException;
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

    private Scene scene;

    abstract Databases.Opener database(Path home);

    @BeforeEach
    void open() throws Exception {
        scene = new Scene(database(home));
    }

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void changesNothingWhileOneIsUnderWay() throws Exception {
        ask();
        ClaimedHeartbeat beat = claim().orElseThrow();

        assertThat(ask()).isInstanceOf(OperatorResult.Conflict.class);

        assertThat(scene.beatState().askedFor()).isNull();
        assertThat(scene.<Boolean>write(
                        sql -> scene.eventRepository.finishHeartbeat(sql, beat, List.of(), scene.now())))
                .isTrue();
        assertThat(claim()).isEmpty();
    }

    @Test
    void isDueAtOnceWhereNothingEverCameIn() throws Exception {
        assertThat(ask()).isInstanceOf(OperatorResult.Done.class);

        assertThat(scene.beatState().askedFor()).isEqualTo(scene.now());
        assertThat(claim().orElseThrow().askedFor()).isTrue();
    }

    @Test
    void isDueBeforeAnotherThatIsToCome() throws Exception {
        scene.wake("look", WakeMode.NOW);
        assertThat(claim()).isEmpty();

        assertThat(ask()).isInstanceOf(OperatorResult.Done.class);

        assertThat(claim()).isPresent();
    }

    @Test
    void isDueAtOnceAfterOneThatHasFailed() throws Exception {
        ask();
        ClaimedHeartbeat beat = claim().orElseThrow();
        scene.<Boolean>write(sql -> scene.eventRepository.failHeartbeat(
                sql, beat, scene.now().plusSeconds(20), scene.now().plusSeconds(10)));
        assertThat(claim()).isEmpty();

        assertThat(ask()).isInstanceOf(OperatorResult.Done.class);

        assertThat(claim().orElseThrow().failures()).isEqualTo(1);
    }

    @Test
    void isDueOnceTheRunThatHoldsTheSessionLockHasEnded() throws Exception {
        scene.queue("main:main");
        ClaimedRun run = scene.claimOne();

        assertThat(ask()).isInstanceOf(OperatorResult.Done.class);

        assertThat(claim()).isEmpty();
        assertThat(scene.<Boolean>write(sql -> scene.runRepository.release(sql, run)))
                .isTrue();
        assertThat(claim()).isPresent();
    }

    private OperatorResult ask() throws StoreException {
        return scene.write(sql -> HeartbeatRequest.ask(sql, Scene.AGENT, scene.now()));
    }

    private Optional<ClaimedHeartbeat> claim() throws StoreException {
        return scene.write(sql -> scene.eventRepository.claimHeartbeat(sql, "node", Scene.AGENT, scene.now(), false));
    }
}
