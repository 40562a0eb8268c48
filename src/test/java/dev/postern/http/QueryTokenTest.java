package dev.postern.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryTokenTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"token", "token=", "token=x", "a=b&token=x", "token&a=b", "%74oken=x", "a&t%6Fken", "&token"})
    void findsATokenHoweverItIsSpelled(String query) {
        assertThat(QueryToken.isIn(query)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "&", "access_token=x", "Token=x", "tokens=x", "a=token", "%zz=token", "to+ken=x", "%2574oken"
            })
    void takesNothingElseForOne(String query) {
        assertThat(QueryToken.isIn(query)).isFalse();
    }

    @Test
    void findsNoneWithoutAQuery() {
        assertThat(QueryToken.isIn(null)).isFalse();
    }
}
