package dev.postern.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.HookResult;
import dev.postern.model.RunLookup;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnavailableResponsesTest {

    private static final Duration SOON = Duration.ofSeconds(5);

    private final ResultResponses resultResponses =
            new ResultResponses("/hooks", ResponseRecorderFixture.newRecorder());

    @Test
    void saysThatNothingWasAcceptedWhereTheDatabaseTookNothing() {
        Response answer = resultResponses.of(new HookResult.Unavailable(SOON));

        assertUnavailable(answer, "5");
        assertThat(sentence(answer)).isEqualTo("The database can't take this right now. Nothing was accepted.");
    }

    @Test
    void saysThatItMayHaveBeenAcceptedIfUncertain() {
        Response answer = resultResponses.of(new HookResult.Uncertain(SOON));

        assertUnavailable(answer, "5");
        assertThat(sentence(answer))
                .contains("It may have been accepted; repeat it under the same Idempotency-Key to be sure.")
                .doesNotContain("Nothing");
    }

    @ParameterizedTest
    @CsvSource({"run_1, runs", "dlv_1, deliveries"})
    void saysNothingOfAcceptanceForLookup(String id, String nouns) {
        Response answer = resultResponses.of(new RunLookup.Unavailable(), id);

        assertUnavailable(answer, "2");
        assertThat(sentence(answer)).isEqualTo("The database can't be asked for " + nouns + " right now.");
    }

    private static void assertUnavailable(Response answer, String retryAfter) {
        assertThat(answer.getStatus()).isEqualTo(503);
        assertThat(answer.getHeaderString("Retry-After")).isEqualTo(retryAfter);
        assertThat(body(answer).code()).isEqualTo("unavailable");
    }

    private static String sentence(Response answer) {
        return body(answer).error();
    }

    private static ErrorBody body(Response answer) {
        return (ErrorBody) answer.getEntity();
    }
}
