package dev.postern.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The request as Jersey sees it. */
class JerseyRequestTest {

    @Test
    void returnsTheSameStreamAtEachCall() throws IOException {
        HttpServletRequest bare = (HttpServletRequest) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {HttpServletRequest.class}, (self, method, args) -> null);
        JerseyRequest request = new JerseyRequest(bare, "ab".getBytes(StandardCharsets.US_ASCII));

        assertThat(request.getInputStream().read()).isEqualTo('a');
        assertThat(request.getInputStream().read()).isEqualTo('b');
        assertThat(request.getInputStream().read()).isEqualTo(-1);
    }
}
