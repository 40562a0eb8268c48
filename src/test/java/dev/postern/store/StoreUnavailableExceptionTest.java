package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreUnavailableExceptionTest {

    @ParameterizedTest
    @ValueSource(strings = {"08004", "0A000", "28P01", "3D000", "42501"})
    void waitsForNothingWhereTheDatabaseRefusesForGood(String state) {
        assertThat(StoreUnavailableException.orNever("no", new SQLException("no", state)))
                .isExactlyInstanceOf(StoreException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"08001", "08006", "53300", "57P03"})
    void mayWaitForADatabaseThatIsAway(String state) {
        assertThat(StoreUnavailableException.orNever("no", new SQLException("no", state)))
                .isInstanceOf(StoreUnavailableException.class);
    }
}
