package dev.postern.model;

import static dev.postern.model.RunState.CANCELLED;
import static dev.postern.model.RunState.FAILED;
import static dev.postern.model.RunState.QUEUED;
import static dev.postern.model.RunState.RUNNING;
import static dev.postern.model.RunState.SUCCEEDED;
import static dev.postern.model.RunState.TIMED_OUT;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RunStateTest {

    @Test
    void leadsFromQueuedToRunningOrCancelled() {
        assertThat(after(QUEUED)).containsExactlyInAnyOrder(RUNNING, CANCELLED);
    }

    @Test
    void leadsFromRunningToAnEndOrBackToTheQueue() {
        assertThat(after(RUNNING)).containsExactlyInAnyOrder(QUEUED, SUCCEEDED, FAILED, TIMED_OUT, CANCELLED);
    }

    @ParameterizedTest
    @EnumSource(names = {"SUCCEEDED", "FAILED", "TIMED_OUT", "CANCELLED"})
    void leadsNowhereFromAnEnd(RunState state) {
        assertThat(after(state)).isEmpty();
        assertThat(state.ended()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void isReadBackFromItsSpelling(RunState state) {
        assertThat(RunState.of(state.wire())).isEqualTo(state);
    }

    @Test
    void spellsTimedOutAsTheContractDoes() {
        assertThat(TIMED_OUT.wire()).isEqualTo("timed_out");
    }

    private static Set<RunState> after(RunState state) {
        Set<RunState> next = EnumSet.allOf(RunState.class);
        next.removeIf(candidate -> !state.mayBecome(candidate));
        return next;
    }
}
