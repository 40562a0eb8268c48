package dev.postern.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonValueLimitTest {

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "\"a\"", "1", "1.5", "true", "null"})
    void countsValuesOfEachType(String value) {
        assertThat(JsonValueLimit.isExceeded(array(value, JsonValueLimit.MAX_VALUES - 1)))
                .isFalse();
        assertThat(JsonValueLimit.isExceeded(array(value, JsonValueLimit.MAX_VALUES)))
                .isTrue();
    }

    @Test
    void countsValuesAtAllDepths() {
        assertThat(JsonValueLimit.isExceeded("[".repeat(JsonValueLimit.MAX_VALUES)))
                .isFalse();
        assertThat(JsonValueLimit.isExceeded("[".repeat(JsonValueLimit.MAX_VALUES + 1)))
                .isTrue();
        assertThat(JsonValueLimit.isExceeded(array("{\"a\":{\"b\":1}}", JsonValueLimit.MAX_VALUES / 3 + 1)))
                .isTrue();
    }

    @Test
    void countsValuesBeforeAnError() {
        String open = array("{}", JsonValueLimit.MAX_VALUES).replace("]", "");

        assertThat(JsonValueLimit.isExceeded(open)).isTrue();
        assertThat(JsonValueLimit.isExceeded(open + "?")).isTrue();
        assertThat(JsonValueLimit.isExceeded("?" + open)).isFalse();
    }

    @Test
    void countsNoNamesAndNoPunctuationInTexts() {
        assertThat(JsonValueLimit.isExceeded("{\"" + "{[,".repeat(JsonValueLimit.MAX_VALUES) + "\": 1}"))
                .isFalse();
        assertThat(JsonValueLimit.isExceeded("\"" + "{[,".repeat(10 * JsonValueLimit.MAX_VALUES) + "\""))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "<html>", "{\"a\":"})
    void acceptsWhatIsNoJson(String text) {
        assertThat(JsonValueLimit.isExceeded(text)).isFalse();
    }

    private static String array(String value, int times) {
        return "[" + String.join(",", Collections.nCopies(times, value)) + "]";
    }
}
