package dev.postern.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.TraceContext;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceHeadersTest {

    private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "-",
                "00",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-and-more",
                "00-4BF92F3577B34DA6A3CE929D0E0E4736-00F067AA0BA902B7-01",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-zz",
                "00-4bf92f3577b34da6a3ce929d0e0e473\uD83D-00f067aa0ba902b7-01"
            })
    void readsNothingFromMalformedParent(String parent) {
        assertThat(read(List.of(parent), List.of("a=1"))).isNull();
    }

    @Test
    void readsNothingWithoutOrWithTwoParents() {
        assertThat(read(List.of(), List.of("a=1"))).isNull();
        assertThat(read(List.of(PARENT, PARENT), List.of())).isNull();
        assertThat(TraceHeaders.read(name -> null)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "=1", "A=1", "a=b=c", "a=\u0001", "a=ü"})
    void leavesOutMalformedState(String state) {
        assertThat(read(List.of(PARENT), List.of(state))).isEqualTo(new TraceContext(PARENT, ""));
    }

    @Test
    void leavesOutStateThatIsTooLong() {
        String half = "a=" + "x".repeat(250);

        assertThat(read(List.of(PARENT), List.of("a=" + "x".repeat(511)))).isEqualTo(new TraceContext(PARENT, ""));
        assertThat(read(List.of(PARENT), List.of(half, "b=" + half, half))).isEqualTo(new TraceContext(PARENT, ""));
    }

    @Test
    void joinsStatesThatAreSentSeparately() {
        assertThat(read(List.of(PARENT), List.of("a=1", "b=2"))).isEqualTo(new TraceContext(PARENT, "a=1,b=2"));
    }

    @Test
    void readsLaterVersionAsThisOne() {
        assertThat(read(List.of("cc" + PARENT.substring(2) + "-more"), List.of()))
                .isEqualTo(new TraceContext(PARENT, ""));
    }

    private static TraceContext read(List<String> parents, List<String> states) {
        Map<String, List<String>> headers = Map.of(TraceContext.TRACEPARENT, parents, TraceContext.TRACESTATE, states);
        return TraceHeaders.read(name -> Collections.enumeration(headers.getOrDefault(name, List.of())));
    }
}
