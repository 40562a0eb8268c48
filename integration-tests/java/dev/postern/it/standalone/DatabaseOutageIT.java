package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test of a PostgreSQL that becomes unavailable in every possible way. {@code -Dit.database.kills=50 -Dit.database.freezes=20
 * -Dit.away=30} is the long one.
 */
@Tag("outage")
@Timeout(1_800)
@Tag("alone")
class DatabaseOutageIT extends DatabaseOutageFixture {

    private static final int KILLS = Integer.getInteger("it.database.kills", 1);
    private static final int FREEZES = Integer.getInteger("it.database.freezes", 1);
    private static final Duration SHORT = Duration.ofSeconds(3);

    @RegisterExtension
    static final PostgresServer SERVER = new PostgresServer(new EmbeddedPostgresDistribution());

    DatabaseOutageIT() {
        super(SERVER);
    }

    @Test
    void losesNothingWhenTheServerIsStopped() throws Exception {
        survives("PostgreSQL stopped", SERVER::stop, SERVER::startAgain);
    }

    @Test
    void losesNothingWhenTheServerIsKilled() throws Exception {
        survives("PostgreSQL killed", KILLS, SHORT, SERVER::kill, SERVER::startAgain);
    }

    @Test
    void losesNothingWhenTheServerFallsSilent() throws Exception {
        survives("PostgreSQL frozen", FREEZES, AWAY, () -> SERVER.signal("STOP"), () -> SERVER.signal("CONT"));
    }

    @Test
    void losesNothingWhenOthersTakeAllConnections() throws Exception {
        List<Connection> others = new ArrayList<>();
        String other = database + "_other";
        SERVER.database(other);
        survives(
                "PostgreSQL without connections",
                () -> {
                    while (SERVER.cutOff(database)) {
                        fill(others, other);
                    }
                },
                () -> {
                    for (Connection each : others) {
                        each.close();
                    }
                });
    }

    @Test
    void losesNothingWhenItsRoleMayNotConnect() throws Exception {
        survives(
                "PostgreSQL closed to Postern",
                () -> {
                    SERVER.administer("ALTER ROLE " + database + " CONNECTION LIMIT 0");
                    SERVER.cutOff(database);
                },
                () -> SERVER.administer("ALTER ROLE " + database + " CONNECTION LIMIT -1"));
    }

    /** Takes connections until the server gives no more. */
    private static void fill(List<Connection> connections, String role) {
        while (true) {
            try {
                connections.add(SERVER.connect(role));
            } catch (SQLException none) {
                assertThat(none.getSQLState()).isEqualTo("53300");
                return;
            }
        }
    }
}
