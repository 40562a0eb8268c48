package dev.postern.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.channel.DeliveryQueries.Filter;
import dev.postern.channel.DeliveryQueries.Kept;
import dev.postern.channel.DeliveryQueries.Line;
import dev.postern.model.DeliveryState;
import dev.postern.model.Recipient;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.SessionId;
import dev.postern.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tests of the queries for deliveries, on every database. */
abstract class DeliveryQueriesContract extends OutboxFixture {

    private static final Filter ALL = new Filter(null, null, null, null);

    @Test
    void saysThatTheDatabaseIsGone() {
        DeliveryQueries book = new DeliveryQueries(store);
        store.close();

        assertThatThrownBy(() -> book.latest(ALL, 1)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> book.inbox(null, 1)).isInstanceOf(StoreException.class);
    }

    @Test
    void showsTheLatestFirstAPageAtATime() throws StoreException {
        for (int i = 0; i < 7; i++) {
            reply("slack", "C" + i, "text");
            reply("inbox", null, "kept " + i);
        }
        DeliveryQueries book = new DeliveryQueries(store);

        List<String> sent = new ArrayList<>();
        DeliveryQueries.Page<Line> page = book.latest(ALL, 3);
        page.found().forEach(line -> sent.add(line.to()));
        while (page.older() != null) {
            page = book.latest(new Filter(null, null, null, page.older()), 3);
            page.found().forEach(line -> sent.add(line.to()));
        }
        List<String> kept = new ArrayList<>();
        DeliveryQueries.Page<Kept> texts = book.inbox(null, 3);
        texts.found().forEach(text -> kept.add(text.text()));
        while (texts.older() != null) {
            texts = book.inbox(texts.older(), 3);
            texts.found().forEach(text -> kept.add(text.text()));
        }

        assertThat(sent).containsExactly("C6", "C5", "C4", "C3", "C2", "C1", "C0");
        assertThat(kept).containsExactly("kept 6", "kept 5", "kept 4", "kept 3", "kept 2", "kept 1", "kept 0");
    }

    @Test
    void showsThoseThatAreAskedFor() throws StoreException {
        reply("slack", "C1", "text");
        reply("pigeon", null, "text");
        DeliveryQueries book = new DeliveryQueries(store);

        assertThat(book.latest(new Filter(DeliveryState.FAILED, "pigeon", null, null), 10)
                        .found())
                .singleElement()
                .satisfies(line -> {
                    assertThat(line.runId()).isEqualTo(new RunId("run_1"));
                    assertThat(line.state()).isEqualTo(DeliveryState.FAILED);
                    assertThat(line.reason())
                            .isEqualTo("channel pigeon is not configured: add channels.pigeon with its kind");
                    assertThat(line.nextAt()).isNull();
                    assertThat(line.finishedAt()).isEqualTo(now);
                });
        assertThat(book.latest(new Filter(DeliveryState.DELIVERED, null, null, null), 10)
                        .found())
                .isEmpty();
        assertThat(book.latest(new Filter(null, null, now.minusMillis(1), null), 10)
                        .found())
                .extracting(Line::channel)
                .containsExactly("pigeon", "slack");
        assertThat(book.latest(new Filter(null, null, now, null), 10).found()).isEmpty();
        assertThat(book.latest(new Filter(null, "' OR 1 = 1 --", null, null), 10)
                        .found())
                .isEmpty();
    }

    @Test
    void findsTheFailedOneAndTheInboxBehindManyOthers() throws StoreException {
        reply("pigeon", null, "text");
        reply("inbox", null, "kept");
        deliveredToSlack(DeliveryQueries.WINDOW);
        DeliveryQueries book = new DeliveryQueries(store);

        DeliveryQueries.Page<Line> failed = book.latest(new Filter(DeliveryState.FAILED, null, null, null), 10);
        assertThat(failed.found()).extracting(Line::channel).containsExactly("pigeon");
        assertThat(failed.older()).isNull();
        assertThat(book.inbox(null, 10).found()).extracting(Kept::text).containsExactly("kept");
    }

    @Test
    void looksThroughAWindowOfDeliveriesAtATime() throws StoreException {
        reply("pigeon", null, "text");
        deliveredToSlack(DeliveryQueries.WINDOW);
        DeliveryQueries book = new DeliveryQueries(store);

        DeliveryQueries.Page<Line> page = book.latest(new Filter(null, "pigeon", null, null), 10);

        assertThat(page.found()).isEmpty();
        assertThat(book.latest(new Filter(null, "pigeon", null, page.older()), 10))
                .satisfies(last -> assertThat(last.found()).hasSize(1))
                .satisfies(last -> assertThat(last.older()).isNull());
    }

    private void deliveredToSlack(int count) throws StoreException {
        store.writeAndWait(sql -> sql.update(
                """
                INSERT INTO delivery (id, outcome, agent_id, named, channel, text, state, attempts, created_at, seq)
                WITH RECURSIVE number (n) AS (SELECT 3 UNION ALL SELECT n + 1 FROM number WHERE n < %d)
                SELECT 'dlv_' || n, 'succeeded', '', 0, 'slack', '', 'delivered', 1, 0, n FROM number"""
                        .formatted(count + 2)));
    }

    @Test
    void addsUpHowTheLatestHaveEnded() throws StoreException {
        reply("slack", "C1", "text");
        reply("pigeon", null, "text");
        reply("pigeon", null, "text");
        reply("inbox", null, "text");
        DeliveryQueries book = new DeliveryQueries(store);

        assertThat(book.endedSince(now.minusMillis(1), 10))
                .containsExactlyInAnyOrder(
                        new DeliveryQueries.Tally("slack", DeliveryState.FAILED, 1, now),
                        new DeliveryQueries.Tally("pigeon", DeliveryState.FAILED, 2, now),
                        new DeliveryQueries.Tally("inbox", DeliveryState.DELIVERED, 1, now));
        assertThat(book.endedSince(now.minusMillis(1), 2).stream()
                        .mapToLong(DeliveryQueries.Tally::count)
                        .sum())
                .isEqualTo(2);
        assertThat(book.endedSince(now, 10)).isEmpty();
        assertThat(book.ofRun(new RunId("run_1"), 10))
                .extracting(Line::channel)
                .containsExactly("slack", "pigeon", "pigeon", "inbox");
        assertThat(book.ofRun(new RunId("run_2"), 10)).isEmpty();
    }

    private void reply(String channel, String to, String text) throws StoreException {
        DeliveryRepository.Reply reply = new DeliveryRepository.Reply(
                new RunId("run_1"), RunState.SUCCEEDED, SessionId.mainOf("main"), new Recipient(channel, to), text);
        store.writeAndWait(sql -> deliveryRepository.add(sql, reply, now));
    }
}
