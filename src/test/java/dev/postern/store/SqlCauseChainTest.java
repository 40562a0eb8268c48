package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class SqlCauseChainTest {

    private final SQLException stopped = new SQLException("user=ada password=hunter2", "57P01");

    @Test
    void findsWhatIsBehindAPoolsFault() {
        SQLException pools = new SQLException(
                "Cannot close connection (invalidating pooled object failed)",
                new IllegalStateException("no object", stopped));

        assertThat(StoreException.kindOf(pools)).isEqualTo("SQLException, SQLState 57P01");
        assertThat(StoreException.messageOf(pools))
                .isEqualTo("Cannot close connection (invalidating pooled object failed) (SQLException, SQLState 57P01)")
                .doesNotContain("hunter2");
    }

    @Test
    void saysWhatAnAdministratorCanEnd() {
        assertThat(StoreException.kindOf(new SQLException("FATAL: too many connections for role \"ada\"", "53300")))
                .startsWith("SQLException, SQLState 53300: it has too many connections; see its max_connections")
                .doesNotContain("ada");
    }

    @Test
    void findsWhatWasSuppressedOrChained() {
        SQLException closing = new SQLException("Cannot close connection");
        closing.addSuppressed(stopped);
        SQLException batch = new SQLException("a batch failed");
        batch.setNextException(stopped);

        assertThat(SqlCauseChain.mostTelling(closing)).isSameAs(stopped);
        assertThat(SqlCauseChain.mostTelling(batch)).isSameAs(stopped);
    }

    @Test
    void prefersWhyThereIsNoDatabaseToWhatFollowedFromIt() {
        SQLException aborted = new SQLException("the transaction is aborted", "25P02", stopped);

        assertThat(SqlCauseChain.mostTelling(aborted)).isSameAs(stopped);
    }

    @Test
    void staysWithAFaultThatHasNothingMoreTellingBehindIt() {
        SQLException sqlite = new SQLException("the disk is full", new IllegalStateException("a cause"));
        SQLException constraint = new SQLException("a row", "23505", new SQLException("of a pool"));

        assertThat(SqlCauseChain.mostTelling(sqlite)).isSameAs(sqlite);
        assertThat(StoreException.messageOf(sqlite)).isEqualTo("the disk is full");
        assertThat(SqlCauseChain.mostTelling(constraint)).isSameAs(constraint);
    }

    @Test
    void endsWhereCausesGoInCircles() {
        SQLException one = new SQLException("one");
        SQLException two = new SQLException("two", one);
        one.initCause(two);
        one.setNextException(two);

        assertThat(SqlCauseChain.mostTelling(one)).isSameAs(one);
    }
}
