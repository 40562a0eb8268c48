package dev.postern.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryTest {

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
        assertThat(Query.hasToken(query)).isTrue();
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
        assertThat(Query.hasToken(query)).isFalse();
    }

    @Test
    void findsNothingWithoutAQuery() {
        assertThat(Query.hasToken(null)).isFalse();
        assertThat(Query.firstValues(null)).isEmpty();
        assertThat(Query.firstValues("")).isEmpty();
    }

    @Test
    void leavesOutWhatIsNotEncodedAsAForm() {
        assertThat(Query.firstValues("a=%zz&%=b&c=d")).containsExactly(entry("c", "d"));
    }

    @Test
    void readsTheFirstValueOfEachParameter() {
        assertThat(Query.firstValues("a=1&a=2&b&c=&d=x=y&%C3%A9=a+b"))
                .containsOnly(entry("a", "1"), entry("b", ""), entry("c", ""), entry("d", "x=y"), entry("é", "a b"));
    }

    private static Map.Entry<String, String> entry(String name, String value) {
        return Map.entry(name, value);
    }
}
