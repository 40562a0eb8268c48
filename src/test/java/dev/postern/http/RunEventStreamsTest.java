package dev.postern.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.http.RunEventStreams.Limits;
import dev.postern.http.RunEventStreams.Place;
import dev.postern.model.RunId;
import dev.postern.model.RunLookup;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A test of the streams, with a clock, a database and connections that do nothing by themselves. */
class RunEventStreamsTest {

    private static final RunId RUN = RunViewFixture.RUN;
    private static final String ALL = "queued running ended reply end";

    private final RunEventStreams streams =
            new RunEventStreams(this::revisions, this::look, new Limits(4, 3, 2), this::nanos);

    private RunView view = new RunViewFixture().view();
    private boolean isDatabaseAway;
    private boolean isRunGone;
    private int looks;
    private int queries;
    private long nanos;

    @Test
    void refusesWhatIsTooMuchUntilOneIsGone() throws IOException {
        FakeConnection first = follow(RUN, null, null);
        follow(RUN, null, null);
        assertThat(refusal(RUN, "ci")).isEqualTo(FixedErrorResponse.TOO_MANY_FOLLOWERS_OF_RUN);
        follow(new RunId("run_2"), null, null);
        assertThat(refusal(new RunId("run_3"), null)).isEqualTo(FixedErrorResponse.TOO_MANY_FOLLOWERS_OF_SENDER);
        FakeConnection last = follow(new RunId("run_3"), "ci", null);
        assertThat(refusal(new RunId("run_4"), "ci")).isEqualTo(FixedErrorResponse.TOO_MANY_FOLLOWERS);

        first.breaks = true;
        nanos += Duration.ofSeconds(11).toNanos();
        streams.sweep();

        assertThat(first.completions).isEqualTo(1);
        assertThat(last.completions).isZero();
        assertThat(refusal(RUN, null)).isNull();
    }

    @Test
    void freesPlaceOfRequestThatCouldNotBegin() throws IOException {
        List<Place> taken = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            assertThat(streams.reserve(RUN, null, taken)).isNull();
            FakeConnection broken = new FakeConnection();
            broken.isUnsupported = true;
            Place place = taken.get(i);
            assertThatThrownBy(() -> place.begin(broken::exchange, null, view))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void dropsClientThatNeverReads() throws IOException {
        FakeConnection slow = follow(RUN, null, null);
        slow.room = 1;
        FakeConnection quick = follow(RUN, null, null);
        view = new RunViewFixture().attempts(1).succeeded("x".repeat(100_000)).view();

        streams.sweep();
        assertThat(slow.out.size()).isLessThan(20_000);
        assertThat(slow.completions).isZero();
        assertThat(quick.steps()).isEqualTo(ALL);
        nanos += Duration.ofSeconds(31).toNanos();
        streams.sweep();

        assertThat(slow.completions).isEqualTo(1);
        assertThat(quick.completions).isEqualTo(1);
    }

    @Test
    void goesOnWithSlowClientThatReadsAgain() throws IOException {
        FakeConnection slow = follow(RUN, null, null);
        slow.room = 1;
        view = new RunViewFixture().attempts(1).succeeded("x".repeat(100_000)).view();
        streams.sweep();

        while (slow.completions == 0) {
            slow.room = 1;
            slow.listener.onWritePossible();
        }

        assertThat(slow.steps()).isEqualTo(ALL);
        assertThat(slow.text()).contains("x".repeat(100_000));
    }

    @Test
    void writesNothingBeforeServerAllowsIt() throws IOException {
        FakeConnection connection = new FakeConnection();
        begin(connection, RUN, null, null);
        streams.sweep();
        assertThat(connection.out.size()).isZero();

        connection.listener.onWritePossible();

        assertThat(connection.text()).startsWith("retry: 2000\n\n");
        assertThat(connection.steps()).isEqualTo("queued");
    }

    @Test
    void asksDatabaseOnceForAllAndReadsChangedRunOnce() throws IOException {
        FakeConnection one = follow(RUN, null, null);
        FakeConnection other = follow(RUN, null, null);
        streams.sweep();
        looks = 0;
        queries = 0;
        streams.sweep();
        assertThat(queries).isEqualTo(1);
        assertThat(looks).isZero();

        view = new RunViewFixture().state(RunState.RUNNING).attempts(1).view();
        streams.sweep();

        assertThat(queries).isEqualTo(2);
        assertThat(looks).isEqualTo(1);
        assertThat(one.steps()).isEqualTo("queued running");
        assertThat(other.steps()).isEqualTo("queued running");
    }

    @Test
    void asksNothingWhenNobodyFollows() throws IOException {
        List<Runnable> threads = new ArrayList<>();
        streams.sweepOn(threads::add);
        assertThat(threads).isEmpty();

        FakeConnection connection = follow(RUN, null, null);
        streams.sweepOn(threads::add);
        assertThat(threads).hasSize(1);
        view = new RunViewFixture().attempts(1).succeeded("done").view();
        threads.get(0).run();
        assertThat(connection.completions).isEqualTo(1);

        streams.sweepOn(threads::add);
        assertThat(threads).hasSize(1);
    }

    @Test
    void goesOnAfterDatabaseWasAway() throws IOException {
        FakeConnection connection = follow(RUN, null, null);
        view = new RunViewFixture().attempts(1).succeeded("done").view();
        isDatabaseAway = true;
        nanos += Duration.ofSeconds(11).toNanos();
        streams.sweep();
        assertThat(connection.steps()).isEqualTo("queued");
        assertThat(connection.text()).endsWith("\n\n:\n\n");

        isDatabaseAway = false;
        streams.sweep();

        assertThat(connection.steps()).isEqualTo(ALL);
    }

    @Test
    void endsStreamOfRunThatIsGone() throws IOException {
        FakeConnection connection = follow(RUN, null, null);
        isRunGone = true;

        streams.sweep();

        assertThat(connection.completions).isEqualTo(1);
        assertThat(connection.steps()).isEqualTo("queued");
    }

    @Test
    void sendsOnlyWhatClientLacks() throws IOException {
        view = new RunViewFixture().attempts(1).succeeded("done").view();

        FakeConnection connection = follow(RUN, null, "0.1.running");

        assertThat(connection.steps()).isEqualTo("ended reply end");
        assertThat(connection.completions).isEqualTo(1);
    }

    @Test
    void endsStreamsThatGetTooOldAndAllAtShutdown() throws IOException {
        FakeConnection old = follow(RUN, null, null);
        nanos += Duration.ofMinutes(15).toNanos();
        FakeConnection young = follow(RUN, null, null);
        streams.sweep();
        assertThat(old.completions).isEqualTo(1);
        assertThat(young.completions).isZero();

        FakeConnection stalled = new FakeConnection();
        begin(stalled, new RunId("run_2"), null, null);
        streams.close();

        assertThat(young.completions).isEqualTo(1);
        assertThat(stalled.completions).isEqualTo(1);
        assertThat(refusal(RUN, null)).isEqualTo(FixedErrorResponse.TOO_MANY_FOLLOWERS);
    }

    private Optional<Map<RunId, String>> revisions(Collection<RunId> runs) {
        queries++;
        if (isDatabaseAway) {
            return Optional.empty();
        }
        Map<RunId, String> found = new HashMap<>();
        runs.forEach(run -> found.put(run, view.toString()));
        return Optional.of(isRunGone ? Map.of() : found);
    }

    private RunLookup look(RunId run) {
        looks++;
        return new RunLookup.Found(view);
    }

    private long nanos() {
        return nanos;
    }

    private FixedErrorResponse refusal(RunId run, String sender) {
        return streams.reserve(run, sender, new ArrayList<>());
    }

    private FakeConnection follow(RunId run, String sender, String last) throws IOException {
        FakeConnection connection = new FakeConnection();
        begin(connection, run, sender, last);
        connection.listener.onWritePossible();
        return connection;
    }

    private void begin(FakeConnection connection, RunId run, String sender, String last) throws IOException {
        List<Place> taken = new ArrayList<>();
        assertThat(streams.reserve(run, sender, taken)).isNull();
        taken.get(0).begin(connection::exchange, RunEventId.parse(last, view).orElse(null), view);
    }

    /** A connection to a client. */
    private static final class FakeConnection extends ServletOutputStream {

        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private WriteListener listener;
        private int room = Integer.MAX_VALUE;
        private boolean breaks;
        private boolean isUnsupported;
        private int completions;

        AsyncContext exchange() {
            HttpServletResponse response = fake(HttpServletResponse.class);
            return (AsyncContext) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {AsyncContext.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("complete")) {
                            completions++;
                        }
                        return method.getName().equals("getResponse") ? response : null;
                    });
        }

        private <T> T fake(Class<T> type) {
            return type.cast(Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {type},
                    (proxy, method, arguments) -> method.getName().equals("getOutputStream") ? this : null));
        }

        String text() {
            return out.toString(StandardCharsets.UTF_8);
        }

        /** The steps of the events that came. */
        String steps() {
            return String.join(
                    " ",
                    text().lines()
                            .filter(line -> line.startsWith("id: "))
                            .map(line -> line.split("\\.", 4)[2])
                            .toList());
        }

        @Override
        public boolean isReady() {
            return room > 0;
        }

        @Override
        public void setWriteListener(WriteListener writeListener) {
            if (isUnsupported) {
                throw new IllegalStateException("not asynchronous");
            }
            listener = writeListener;
        }

        @Override
        public void write(int b) {
            throw new IllegalStateException("one byte at a time");
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            assertThat(isReady()).isTrue();
            if (breaks) {
                throw new IOException("the client is gone");
            }
            room--;
            out.write(bytes, offset, length);
        }
    }
}
