package dev.postern.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of the choice between JSON and a stream of events. */
class EventStreamPreferenceTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*/*",
                "text/*",
                "text/*, */*;q=0.1",
                "application/json",
                "application/json, text/event-stream",
                "text/event-stream;q=0.5, application/json",
                "text/event-stream;q=0.5, */*",
                "text/event-stream;q=0.5, application/*;q=0.6, */*;q=0.1",
                "text/event-stream;q=0",
                "text/event-stream;q=2",
                "text/event-stream;q=x",
                "text/event-stream;q=",
                "text/event-streams",
                "x/y;a=\"text/event-stream\"",
                "x/y;a=\",text/event-stream,",
                ";;;,,,;q"
            })
    void givesJsonUnlessStreamIsPreferred(String accept) {
        assertThat(prefersStream(accept)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/event-stream",
                " Text/Event-Stream ; charset=utf-8 ",
                "text/event-stream, */*",
                "text/event-stream, */*;q=0.5",
                "text/event-stream;q=0.9, application/json;q=0.8",
                "text/event-stream;q=0.5, application/json;q=0.1, */*",
                "text/event-stream;q=0.5, application/*;q=0.1, */*",
                "text/event-stream;q=0.001"
            })
    void givesStreamThatIsPreferred(String accept) {
        assertThat(prefersStream(accept)).isTrue();
    }

    @Test
    void readsEachOfSeveralHeaders() {
        assertThat(prefersStream("text/html", "text/event-stream")).isTrue();
        assertThat(prefersStream("text/event-stream", "application/json")).isFalse();
    }

    private static boolean prefersStream(String... accept) {
        return EventStreamPreference.isStatedIn((HttpServletRequest) Proxy.newProxyInstance(
                EventStreamPreferenceTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (proxy, method, arguments) ->
                        method.getName().equals("getHeaders") ? Collections.enumeration(List.of(accept)) : null));
    }
}
