package dev.postern.it.standalone;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A wall clock that the processes on one home see, and that a test sets while they run. Time that elapses is left as it is, as
 * when an operator sets the clock. It takes libfaketime (Debian's package {@code faketime}), and skips the test where that is
 * not installed.
 */
final class WallClock {

    private static final Path LIBRARIES = Path.of("/usr/lib");
    private static final String LIBRARY = "faketime/libfaketimeMT.so.1";
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final Duration DOUBT = Duration.ofMinutes(1);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Path file;
    private Duration ahead;

    private WallClock(Path file) {
        this.file = file;
    }

    /** The clock of the processes that are started on {@code home} from now on, which is {@code ahead} of the true time. */
    static WallClock of(HomeFixture home, Duration ahead) {
        Optional<Path> library = library();
        assumeTrue(library.isPresent(), "libfaketime (package faketime) has to be installed");
        WallClock clock = new WallClock(home.top().resolve("wall-clock"));
        clock.set(ahead);
        home.environment("LD_PRELOAD", library.orElseThrow().toString())
                .environment("FAKETIME_TIMESTAMP_FILE", clock.file.toString())
                .environment("FAKETIME_NO_CACHE", "1")
                .environment("FAKETIME_DONT_FAKE_MONOTONIC", "1")
                .environment("DONT_FAKE_MONOTONIC", "1") // the name in later versions
                .environment("FAKETIME_FORCE_MONOTONIC_FIX", "0"); // otherwise waits of the JVM end at once
        return clock;
    }

    /** Sets the clock to {@code ahead} of the true time; negative if it is to be late. */
    void set(Duration ahead) {
        try {
            Path next = Files.writeString(
                    file.resolveSibling("wall-clock.next"), String.format("%+d%n", ahead.toSeconds()));
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.ahead = ahead;
    }

    /** Waits until {@code postern} tells the time of this clock in its answers. */
    void awaitSeenBy(PosternProcess postern) {
        await(postern + " to see its clock " + ahead + " ahead")
                .atMost(LONGEST)
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptionsInstanceOf(IOException.class) // a connection that this clock calls idle
                .until(() -> Duration.between(Instant.now().plus(ahead), told(postern))
                                .abs()
                                .compareTo(DOUBT)
                        < 0);
    }

    private static Instant told(PosternProcess postern) throws IOException, InterruptedException {
        URI metrics = postern.base().resolve("/metrics");
        String date = CLIENT.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.discarding())
                .headers()
                .firstValue("Date")
                .orElseThrow();
        return ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    }

    private static Optional<Path> library() {
        try (Stream<Path> architectures = Files.list(LIBRARIES)) {
            return architectures
                    .map(each -> each.resolve(LIBRARY))
                    .filter(Files::isReadable)
                    .findFirst();
        } catch (IOException noLibraries) {
            return Optional.empty();
        }
    }
}
