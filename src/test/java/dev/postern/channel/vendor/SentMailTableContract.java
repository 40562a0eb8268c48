package dev.postern.channel.vendor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.store.Store;
import dev.postern.store.TestDatabases.Opener;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the limit of mails to one address, on either database. */
abstract class SentMailTableContract {

    private static final Instant START = Instant.parse("2026-11-22T05:00:00Z");
    private static final String ANN = "ann@example.org";

    @TempDir
    Path home;

    private Opener database;
    private Store store;

    abstract Opener database(Path directory);

    @BeforeEach
    void open() throws Exception {
        database = database(home);
        store = openStore();
    }

    @AfterEach
    void close() {
        store.close();
    }

    Store openStore() throws Exception {
        return database.open(() -> START);
    }

    SentMailTable limit(int most) {
        return new SentMailTable(store, "mail", most);
    }

    private void restart() throws Exception {
        store.close();
        store = openStore();
    }

    @Test
    void remembersTheMailsOfTheLastHourAfterARestart() throws Exception {
        assertThat(limit(2).take(ANN, "dlv_1")).isTrue();
        assertThat(limit(2).take("ANN@example.org", "dlv_2")).isTrue();
        restart();

        assertThat(limit(2).take(ANN, "dlv_3")).isFalse();
        assertThat(limit(2).take(ANN, "dlv_1")).isTrue();
        assertThat(limit(2).take("bob@example.org", "dlv_3")).isTrue();
        assertThat(new SentMailTable(store, "other", 2).take(ANN, "dlv_3")).isTrue();
    }

    @Test
    void countsAMailForAnHour() throws Exception {
        assertThat(limit(2).take(ANN, "dlv_1")).isTrue();
        advance(Duration.ofMinutes(30));
        assertThat(limit(2).take(ANN, "dlv_2")).isTrue();
        advance(Duration.ofMinutes(31));

        assertThat(limit(2).take(ANN, "dlv_3")).isTrue();
        assertThat(limit(2).take(ANN, "dlv_4")).isFalse();
    }

    @Test
    void keepsToALimitThatIsLowered() throws Exception {
        assertThat(limit(3).take(ANN, "dlv_1")).isTrue();
        advance(Duration.ofMinutes(30));
        assertThat(limit(3).take(ANN, "dlv_2")).isTrue();
        assertThat(limit(3).take(ANN, "dlv_3")).isTrue();
        advance(Duration.ofMinutes(31));

        assertThat(limit(2).take(ANN, "dlv_4")).isFalse();
        assertThat(limit(3).take(ANN, "dlv_4")).isTrue();
    }

    @Test
    void forgetsMailsThatCountNoMore() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(limit(5).take(ANN, "dlv_" + i)).isTrue();
        }
        assertThat(rows()).isEqualTo(5);
        assertThat(deleteExpired(3)).isFalse();
        advance(Duration.ofHours(1));

        assertThat(deleteExpired(3)).isTrue();
        assertThat(deleteExpired(3)).isFalse();
        assertThat(rows()).isZero();
    }

    private boolean deleteExpired(int most) throws Exception {
        return store.writeAndWait(
                sql -> SentMailTable.expired().deleteBatch(sql, store.clock().instant(), most));
    }

    private long rows() throws Exception {
        return store.read(sql -> sql.first("SELECT COUNT(*) AS n FROM sent_mail", row -> row.number("n")))
                .orElseThrow();
    }

    /** Lets time pass, also for what was sent before: a shared database has a clock of its own. */
    private void advance(Duration passed) throws Exception {
        store.writeAndWait(sql -> sql.update("UPDATE sent_mail SET at = at - ?", passed.toMillis()));
    }
}
