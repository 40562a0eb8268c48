package dev.postern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.ModelUse;
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

    @Test
    void countsNoNegativeTokens() {
        log.recordAsked("lab/large");
        log.addTokens(10, 2);
        log.addTokens(-5, -1);
        log.addEarlierTokens(-5, -1);

        assertThat(log.tokens()).isEqualTo(12);
        assertThat(log.uses()).containsExactly(new ModelUse("lab/large", 10, 2, true));
        assertThat(log.allUses()).containsExactly(new ModelUse("lab/large", 10, 2, true));
    }

    @Test
    void tellsWhatIsNewAfterPauseFromWhatWholeTurnUsed() {
        log.recordAsked("lab/large");
        log.addEarlierTokens(10, 2);
        log.addTokens(5, 1);

        assertThat(log.uses()).containsExactly(new ModelUse("lab/large", 5, 1, true));
        assertThat(log.allUses()).containsExactly(new ModelUse("lab/large", 15, 3, true));
    }

    private static ToolCall call(String tool) {
        return new ToolCall("files", tool, 0, 0, 0, Outcome.OK);
    }
}
