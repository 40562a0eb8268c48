package dev.postern.agent.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the attempts at a connection to one tool server. */
class ToolServerTest {

    @TempDir
    Path work;

    @Test
    void connectsAgainAfterNoThreadCouldBeStarted() throws Exception {
        AtomicLong nanos = new AtomicLong();
        AtomicBoolean exhausted = new AtomicBoolean(true);
        try (HttpToolServer listening = new HttpToolServer();
                ToolServer server = new ToolServer(
                        ToolTurnFixture.httpServer("s", listening.url(), Map.of(), Duration.ofSeconds(20)),
                        work,
                        limited(exhausted),
                        nanos::get)) {
            assertThatThrownBy(() -> server.listed().get(20, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOf(ToolServerException.class)
                    .hasMessage("cannot be spoken to: OutOfMemoryError");

            exhausted.set(false);
            nanos.addAndGet(ToolServer.PAUSE.toNanos());
            assertThat(server.listed().get(20, TimeUnit.SECONDS).tools()).isNotEmpty();
        }
    }

    /** A factory of threads that can't be started while they are {@code exhausted}. */
    private static ToolThreadFactory limited(AtomicBoolean exhausted) {
        return new ToolThreadFactory("test") {

            @Override
            Thread make(String role, Runnable work) {
                return exhausted.get() ? new UnstartableThread(work) : super.make(role, work);
            }
        };
    }

    /** A thread for which the operating system has no room. */
    private static final class UnstartableThread extends Thread {

        UnstartableThread(Runnable work) {
            super(work);
        }

        @Override
        public synchronized void start() {
            throw new OutOfMemoryError("unable to create native thread");
        }
    }
}
