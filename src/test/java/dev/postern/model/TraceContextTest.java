package dev.postern.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceContextTest {

    private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
                "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\n"
            })
    void hasNoOtherFormThanThatOfTheHeader(String parent) {
        assertThatIllegalArgumentException().isThrownBy(() -> new TraceContext(parent, ""));
        assertThat(TraceContext.read(parent)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=1\nb=2", "a=ü"})
    void hasPrintableStateOnly(String state) {
        assertThatIllegalArgumentException().isThrownBy(() -> new TraceContext(PARENT, state));
        assertThat(TraceContext.read(PARENT + " " + state)).isNull();
    }

    @Test
    void hasStateOfBoundedLength() {
        String longest = "a=" + "x".repeat(TraceContext.MAX_STATE - 2);

        assertThat(new TraceContext(PARENT, longest).tracestate()).isEqualTo(longest);
        assertThatIllegalArgumentException().isThrownBy(() -> new TraceContext(PARENT, longest + "x"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a=1,b=c d"})
    void isReadAsItWasStored(String state) {
        TraceContext context = new TraceContext(PARENT, state);

        assertThat(TraceContext.read(TraceContext.textOf(context))).isEqualTo(context);
        assertThat(TraceContext.traceIdOf(context)).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
    }

    @ParameterizedTest
    @NullSource
    void mayBeAbsent(TraceContext context) {
        assertThat(TraceContext.textOf(context)).isNull();
        assertThat(TraceContext.traceIdOf(context)).isNull();
        assertThat(TraceContext.read(null)).isNull();
    }
}
