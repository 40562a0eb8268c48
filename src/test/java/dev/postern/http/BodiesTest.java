package dev.postern.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Test;

/** What the headers say of a body. */
class BodiesTest {

    @Test
    void aLengthThatTheServerCanNotReadIsTooLarge() {
        HttpServletRequest request = (HttpServletRequest) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {HttpServletRequest.class}, (self, method, args) -> {
                    if (method.getName().equals("getContentLengthLong")) {
                        throw new NumberFormatException("18446744073709551616");
                    }
                    return Collections.emptyEnumeration();
                });
        ScheduledExecutorService clock = Executors.newScheduledThreadPool(0);
        try {
            Bodies bodies = new Bodies(new BodyBounds(1_000, Map.of(), Duration.ofSeconds(1)), clock, new Answered());

            assertThat(bodies.fault(request, "wake", true)).isEqualTo(Refusal.PAYLOAD_TOO_LARGE);
        } finally {
            clock.shutdown();
        }
    }
}
