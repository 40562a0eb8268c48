package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RejectedWriteExceptionTest {

    @ParameterizedTest
    @ValueSource(strings = {"08006", "25006", "40P01", "42P01", "53100", "57014", "XX001"})
    void blamesNoContentForOtherStates(String state) {
        assertThat(RejectedWriteException.orOther(new SQLException("no", state)))
                .isExactlyInstanceOf(StoreException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 6, 8, 10, 11, 13, 14})
    void blamesNoContentForOtherCodesOfSqlite(int code) {
        assertThat(RejectedWriteException.orOther(new SQLException("no", null, code)))
                .isExactlyInstanceOf(StoreException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"22021", "23505", "54000"})
    void blamesContentForItsStates(String state) {
        assertThat(RejectedWriteException.orOther(new SQLException("no", state)))
                .isInstanceOf(RejectedWriteException.class)
                .hasMessage("the database did not take it: SQLException, SQLState " + state);
    }

    @ParameterizedTest
    @ValueSource(ints = {18, 19, 20, 2067})
    void blamesContentForItsCodesOfSqlite(int code) {
        assertThat(RejectedWriteException.orOther(new SQLException("no", null, code)))
                .isInstanceOf(RejectedWriteException.class);
    }
}
