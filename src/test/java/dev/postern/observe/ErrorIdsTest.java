package dev.postern.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.ResourceBundle;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ErrorIdsTest {

    private final ErrorIds ids = new ErrorIds();
    private final RecordingLogger recordingLogger = new RecordingLogger();

    @Test
    void logsTheFaultAsAnErrorUnderTheIdThatTheSenderIsTold() {
        Exception fault = new IllegalStateException("the disk is full");

        String id = ids.log(recordingLogger, "committing", fault);

        assertThat(id).matches("err_[0-9a-hjkmnp-tv-z]{10}");
        assertThat(recordingLogger.written).containsExactly("ERROR " + id + " committing: " + fault);
    }

    @Test
    void givesEachFaultAnIdOfItsOwn() {
        Set<String> given = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            given.add(ids.log(recordingLogger, "committing", new IllegalStateException()));
        }

        assertThat(given).hasSize(1_000);
    }

    /** Keeps what is logged. */
    private static final class RecordingLogger implements System.Logger {

        private final List<String> written = new ArrayList<>();

        @Override
        public String getName() {
            return "test";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String line, Throwable thrown) {
            written.add(level + " " + line + ": " + thrown);
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            throw new AssertionError("without the fault: " + format);
        }
    }
}
