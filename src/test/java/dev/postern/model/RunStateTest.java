package dev.postern.model;

import static dev.postern.model.RunState.QUEUED;
import static dev.postern.model.RunState.RUNNING;
import static dev.postern.model.RunState.TIMED_OUT;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RunStateTest {

    @ParameterizedTest
    @EnumSource
    void hasEndedUnlessSomethingIsToCome(RunState state) {
        assertThat(state.ended()).isEqualTo(state != QUEUED && state != RUNNING);
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
}
