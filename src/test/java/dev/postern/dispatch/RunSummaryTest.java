package dev.postern.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.RunId;
import dev.postern.model.RunState;
import org.junit.jupiter.api.Test;

class RunSummaryTest {

    private static final RunId RUN = new RunId("run_1");

    @Test
    void saysTheStateUnlessTheRunSucceeded() {
        assertThat(RunReporter.RunSummary.of("GitHub", RUN, 1, RunState.TIMED_OUT, "timed out after 600 s"))
                .isEqualTo("Hook GitHub (timed_out): timed out after 600 s [run_1]");
        assertThat(RunReporter.RunSummary.of("GitHub", RUN, 1, RunState.SUCCEEDED, "Merged."))
                .isEqualTo("Hook GitHub: Merged. [run_1]");
    }

    @Test
    void saysHookOnce() {
        assertThat(RunReporter.RunSummary.of("Hook", RUN, 1, RunState.TIMED_OUT, "timed out after 600 s"))
                .isEqualTo("Hook (timed_out): timed out after 600 s [run_1]");
        assertThat(RunReporter.RunSummary.of("Hook of the shop", RUN, 1, RunState.SUCCEEDED, "Sold."))
                .isEqualTo("Hook of the shop: Sold. [run_1]");
        assertThat(RunReporter.RunSummary.of("Hooked", RUN, 1, RunState.SUCCEEDED, "Sold."))
                .isEqualTo("Hook Hooked: Sold. [run_1]");
    }

    @Test
    void saysThatTheRunWasBegunAgain() {
        assertThat(RunReporter.RunSummary.of("GitHub", RUN, 2, RunState.SUCCEEDED, "Merged."))
                .isEqualTo("Hook GitHub: Merged. [run_1, attempt 2 after an interruption]");
    }

    @Test
    void isOneLineWhateverNameAndReplyHold() {
        assertThat(RunReporter.RunSummary.of("a\nb", RUN, 1, RunState.SUCCEEDED, " one\n\n- two\u0007\tthree\r\n"))
                .isEqualTo("Hook a b: one - two three [run_1]");
    }

    @Test
    void isBounded() {
        String summary =
                RunReporter.RunSummary.of("n".repeat(100_000), RUN, 1, RunState.SUCCEEDED, "x".repeat(100_000));

        assertThat(summary).hasSizeLessThan(650).contains("…: ").endsWith("… [run_1]");
    }

    @Test
    void saysThatThereIsNoReply() {
        assertThat(RunReporter.RunSummary.of("GitHub", RUN, 1, RunState.SUCCEEDED, " "))
                .isEqualTo("Hook GitHub: (no reply) [run_1]");
    }
}
