package dev.postern.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.RequestLogEntry;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalReasonTest {

    /** The log has no message of a script, which may quote the payload. */
    @Test
    void tellsWhereTheMessageOfAScriptIs() {
        RequestLogEntry request = new RequestLogEntry(
                "req_1", Instant.EPOCH, "", "", null, "ci", "ci", 500, "mapping_failed", "", 2, 1, List.of());

        assertThat(RefusalReason.of(request).orElseThrow().expected())
                .isEqualTo("The script returns without an error, within its budgets. The log names the file, line and"
                        + " column. The command explain, with the kept payload, shows the script's message.");
    }
}
