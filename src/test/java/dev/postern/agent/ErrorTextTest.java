package dev.postern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.Secret;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorTextTest {

    private final ErrorText errorText =
            new ErrorText(List.of(new Secret("quince"), new Secret("quince-and-more"), new Secret("a")));

    @Test
    void redactsEverySecretWhereverItStands() {
        assertThat(errorText.beginning("Wrong key quince-and-more; xquincex is no better"))
                .isEqualTo("Wrong key [redacted]; x[redacted]x is no better");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Incorrect API key provided: sk-abc***********wxyz.|Incorrect API key provided: [redacted]",
                "sent Authorization: Bearer abc.def-ghi|sent Authorization: Bearer [redacted]",
                "cannot reach https://user:word@host/path|cannot reach https://[redacted]@host/path",
                "token ghp_0123456789abcdef|token [redacted]",
            })
    void redactsWhatLooksLikeACredential(String text, String expected) {
        assertThat(errorText.beginning(text)).isEqualTo(expected);
    }

    @Test
    void leavesOrdinaryTextAsItIs() {
        String text = "{\"error\": {\"message\": \"no such model at https://api.example/v1\"}}";

        assertThat(errorText.beginning(text)).isEqualTo(text);
    }

    @Test
    void removesControlCharactersButLineBreaks() {
        assertThat(errorText.beginning("one\u001b[31m\n\u202etwo\r\n")).isEqualTo("one[31m\ntwo");
    }

    @Test
    void cutsTheEndOrWholeLinesOfTheBeginning() {
        String line = "x".repeat(999) + "\n";

        assertThat(errorText.beginning(line.repeat(9))).hasSize(2_000).endsWith("…");
        assertThat(errorText.end(line.repeat(9) + "last")).isEqualTo("…" + line + "last");
    }
}
