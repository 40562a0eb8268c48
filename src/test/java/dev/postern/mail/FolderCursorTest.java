package dev.postern.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FolderCursorTest {

    private static final Instant SINCE = Instant.parse("2026-11-01T00:00:00Z");
    private static final Instant SECOND = Instant.parse("2026-11-20T10:00:00Z");

    @Test
    void isNotParsedFromAnotherText() {
        assertThatThrownBy(() -> FolderCursor.of("7 3 3")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void isParsedFromTheTextOfAnEarlierVersion() {
        FolderCursor cursor = FolderCursor.of("7 3 2 1795255200 1 2c70e12b7a0646f92279f427c7b38e73 0a");

        assertThat(cursor.validity()).isEqualTo(7);
        assertThat(cursor.uid()).isEqualTo(3);
        assertThat(cursor.until()).isEqualTo(2);
        assertThat(cursor.known().second()).isEqualTo(1_795_255_200L);
        assertThat(cursor.known().names()).containsExactly("2c70e12b7a0646f92279f427c7b38e73", "0a");
        assertThat(cursor.latest()).isEqualTo(cursor.known());
        assertThat(cursor.markPending()).isTrue();
        assertThat(cursor.text()).isEqualTo("7 3 2 1795255200 1 2c70e12b7a0646f92279f427c7b38e73 0a");
    }

    @Test
    void judgesTheMailsOfTheFirstLookBySinceAlone() {
        FolderCursor cursor = FolderCursor.first(7, 3, SINCE).after(1, SECOND, "a", false);

        assertThat(cursor.isOld(2, SECOND.minusSeconds(9), "b")).isFalse();
        assertThat(cursor.isOld(2, SINCE.minusSeconds(1), "b")).isTrue();
    }

    @Test
    void remembersTheLatestArrivalOfTheFirstLook() {
        FolderCursor read = FolderCursor.first(7, 3, SINCE)
                .after(1, SECOND.minusSeconds(9), "a", false)
                .after(2, SECOND, "b", false)
                .after(3, SECOND.minusSeconds(1), "c", false);

        for (FolderCursor last : new FolderCursor[] {read, read.settled()}) {
            FolderCursor cursor = FolderCursor.of(last.text()).renumbered(8, 4);
            assertThat(cursor.isOld(1, SECOND, "b")).isTrue();
            assertThat(cursor.isOld(2, SECOND.minusSeconds(1), "c")).isTrue();
            assertThat(cursor.isOld(3, SECOND, "d")).isFalse();
            assertThat(cursor.isOld(4, SECOND.plusSeconds(1), "e")).isFalse();
        }
    }

    @Test
    void leavesNoMailOutWhenTheFirstLookIsInterrupted() {
        FolderCursor cursor = FolderCursor.of(FolderCursor.first(7, 3, SINCE)
                        .after(1, SECOND, "a", false)
                        .text())
                .renumbered(8, 3);

        assertThat(cursor.isOld(2, SECOND.minusSeconds(9), "b")).isFalse();
        assertThat(cursor.settled().renumbered(9, 3).isOld(1, SECOND, "a")).isTrue();
    }

    @Test
    void countsNoMailTwiceAmongThoseOfOneSecond() {
        FolderCursor cursor = FolderCursor.first(7, 0, SINCE).after(1, SECOND, "a", false);
        for (int numbering = 8; numbering < 200; numbering++) {
            cursor =
                    cursor.renumbered(numbering, 1).after(1, SECOND, "a", false).settled();
        }

        assertThat(cursor.latest().names()).hasSize(1);
    }

    @Test
    void tellsApartAtMostAHundredMailsOfOneSecond() {
        FolderCursor cursor = FolderCursor.first(7, 0, SINCE);
        for (int uid : IntStream.rangeClosed(1, 200).toArray()) {
            cursor = cursor.after(uid, SECOND, "mail " + uid, false);
        }

        assertThat(cursor.latest().names()).hasSize(100);
        assertThat(cursor.latest().second()).isEqualTo(SECOND.getEpochSecond());
    }
}
