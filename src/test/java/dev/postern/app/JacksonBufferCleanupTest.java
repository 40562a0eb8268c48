package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postern.WebAppLoader;
import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that a stopped web app, which has read and written JSON on a server's thread, is released. */
class JacksonBufferCleanupTest {

    private final ExecutorService server = Executors.newSingleThreadExecutor();

    @AfterEach
    void end() {
        server.shutdownNow();
    }

    @Test
    void keepsNoClassLoaderOnceTheyAreReleased() throws Exception {
        server.submit(() -> "the thread is there before the web app").get();

        WeakReference<ClassLoader> webApp = WebAppLoader.<String>around(
                WebApp.class, app -> assertThat(CompletableFuture.supplyAsync(() -> app.apply("[\"a\"]"), server)
                                .join())
                        .isEqualTo("[\"a\"] [\"a\"]"));

        assertThat(System.getProperty("com.fasterxml.jackson.core.util.BufferRecyclers.trackReusableBuffers"))
                .isNull();
        Awaitility.await().pollInSameThread().until(() -> {
            System.gc();
            return webApp.refersTo(null);
        });
    }

    /** A web app that starts, reads and writes JSON in both of Jackson's ways, and ends. */
    public static final class WebApp implements UnaryOperator<String> {

        /** Called by the server. */
        public WebApp() {}

        @Override
        public String apply(String json) {
            JacksonBufferCleanup.track();
            try {
                ObjectMapper mapper = new ObjectMapper();
                return mapper.readTree(json) + " " + mapper.writeValueAsString(mapper.readTree(json));
            } catch (JsonProcessingException e) {
                throw new IllegalArgumentException(e);
            } finally {
                JacksonBufferCleanup.release();
            }
        }
    }
}
