package dev.postern.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryStringParserTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "token",
                "token=",
                "token=x",
                "token=%zz",
                "a=b&token=x",
                "token&a=b",
                "%74oken=x",
                "a&t%6Fken",
                "&token"
            })
    void findsATokenHoweverItIsSpelled(String query) {
        assertThat(QueryStringParser.hasToken(query)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "&",
                "access_token=x",
                "Token=x",
                "tokens=x",
                "a=token",
                "%zz=token",
                "to+ken=x",
                "%2574oken=x"
            })
    void takesNothingElseForOne(String query) {
        assertThat(QueryStringParser.hasToken(query)).isFalse();
    }

    @Test
    void findsNothingWithoutAQuery() {
        assertThat(QueryStringParser.hasToken(null)).isFalse();
        assertThat(QueryStringParser.firstValues(null)).isEmpty();
        assertThat(QueryStringParser.firstValues("")).isEmpty();
    }

    @Test
    void leavesOutWhatIsNotEncodedAsAForm() {
        assertThat(QueryStringParser.firstValues("a=%zz&%=b&c=d")).containsExactly(entry("c", "d"));
    }

    @Test
    void readsTheFirstValueOfEachParameter() {
        assertThat(QueryStringParser.firstValues("a=1&a=2&b&c=&d=x=y&%C3%A9=a+b"))
                .containsOnly(entry("a", "1"), entry("b", ""), entry("c", ""), entry("d", "x=y"), entry("é", "a b"));
    }

    private static Map.Entry<String, String> entry(String name, String value) {
        return Map.entry(name, value);
    }
}
