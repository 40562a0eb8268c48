package dev.postern.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DisconnectTolerantResponseTest {

    private final List<Integer> written = new ArrayList<>();
    private boolean isDisconnected;

    @Test
    void discardsTheRestAfterItsClientHasDisconnected() throws IOException {
        ServletOutputStream out = new DisconnectTolerantResponse(response()).getOutputStream();
        out.write(new byte[] {1, 2});
        isDisconnected = true;

        assertThatCode(() -> {
                    out.write(3);
                    isDisconnected = false;
                    out.write(4);
                    out.flush();
                    out.close();
                })
                .doesNotThrowAnyException();
        assertThat(written).containsExactly(1, 2);
    }

    @Test
    void flushesNothingToAClientThatHasDisconnected() {
        isDisconnected = true;

        assertThatCode(new DisconnectTolerantResponse(response())::flushBuffer).doesNotThrowAnyException();
    }

    private HttpServletResponse response() {
        ServletOutputStream out = new DiscardingOutputStream() {
            @Override
            public void write(int b) throws IOException {
                throwIfDisconnected();
                written.add(b);
            }
        };
        return (HttpServletResponse) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {HttpServletResponse.class}, (proxy, method, arguments) -> {
                    throwIfDisconnected();
                    return method.getName().equals("getOutputStream") ? out : null;
                });
    }

    private void throwIfDisconnected() throws IOException {
        if (isDisconnected) {
            throw new IOException("Broken pipe");
        }
    }
}
