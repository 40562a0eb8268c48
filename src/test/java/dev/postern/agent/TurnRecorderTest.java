package dev.postern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.TurnRecord.Outcome;
import dev.postern.model.TurnRecord.ToolCall;
import org.junit.jupiter.api.Test;

class TurnRecorderTest {

    private final TurnRecorder log = new TurnRecorder();

    @Test
    void saysThatThereWereMoreCallsThanItLists() {
        for (int i = 0; i < 201; i++) {
            log.addToolCall(call("echo"));
        }

        assertThat(log.record().toolCalls()).hasSize(200);
        assertThat(log.record().notes()).containsExactly("More than 200 tool calls; the others are not listed.");
    }

    @Test
    void addsTokensUpAndKnowsNoneWhereNobodyCounts() {
        log.addTokens(null, 3);
        log.addTokens(null, 4);

        assertThat(log.record().inputTokens()).isNull();
        assertThat(log.record().outputTokens()).isEqualTo(7);
    }

    private static ToolCall call(String tool) {
        return new ToolCall("files", tool, 0, 0, 0, Outcome.OK);
    }
}
