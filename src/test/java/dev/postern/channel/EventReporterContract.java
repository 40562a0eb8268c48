package dev.postern.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.postern.channel.Channel.Outcome;
import dev.postern.model.IdGenerator;
import dev.postern.model.OperatorResult;
import dev.postern.model.ReportedEventType;
import dev.postern.model.RunId;
import dev.postern.store.StoreException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The tests, on every database, of the events that are reported to channels. */
abstract class EventReporterContract extends OutboxFixture {

    private static final String DATA = "{\"a\":\"b|c\",\"n\":1,\"no\":null}";

    private EventReporter eventReporter;
    private final AtomicInteger signals = new AtomicInteger();

    @BeforeEach
    void subscribe() {
        use(new ChannelRegistry(Map.of(
                "all",
                        subscriber(
                                "all",
                                Stream.of(ReportedEventType.values())
                                        .map(ReportedEventType::wire)
                                        .toArray(String[]::new)),
                "failures", subscriber("failures", "delivery.failed"),
                "ops", subscriber("ops"))));
    }

    @Override
    void use(ChannelRegistry channelRegistry) {
        super.use(channelRegistry);
        eventReporter = new EventReporter(channelRegistry, new IdGenerator(() -> now));
        eventReporter.onAdded(() -> signals.incrementAndGet());
    }

    @Test
    void reportsNoFailureOfAnEvent() throws StoreException {
        outcomes.put(DATA, new Outcome.Refused("not here"));
        report(ReportedEventType.RUN_FAILED);

        assertThat(sent).containsExactly("all run.failed " + DATA);
        assertThat(texts("SELECT state AS text FROM delivery")).containsExactly("failed");
        assertThat(told).isEmpty();
        assertThat(pendingActions).isZero();
    }

    @Test
    void reportsADeliveryThatFailsLaterOrAtOnce() throws StoreException {
        outcomes.put("hello", new Outcome.Refused("no such recipient"));
        add("ops", "somebody", "hello");
        outbox.signal();
        outbox.signal(); // sends the reports of the failure
        assertThat(sent)
                .filteredOn(text -> text.contains("delivery.failed"))
                .hasSize(2)
                .allMatch(text ->
                        text.contains("\"reason\":\"no such recipient\"") && text.contains("\"to\":\"somebody\""));

        sent.clear();
        add("gone", "somebody", "hello");
        outbox.signal();
        assertThat(sent).hasSize(2).allMatch(text -> text.contains("channel gone is not configured"));
        assertThat(sent).noneMatch(text -> text.contains("hello"));
    }

    @Test
    void reportsADeliveryThatAnOperatorGivesUp() throws StoreException {
        outcomes.put("hello", new Outcome.Later(null, "busy"));
        add("ops", "somebody", "hello");
        outbox.signal();
        sent.clear();
        String id = texts("SELECT id AS text FROM delivery").get(0);
        DeliveryOperations operations =
                new DeliveryOperations(deliveryRepository, new ChannelRegistry(Map.of()), this::tell);

        store.writeAndWait(sql -> operations.giveUp(sql, id, now));
        outbox.signal();

        assertThat(sent)
                .hasSize(2)
                .allMatch(text -> text.contains("delivery.failed") && text.contains("An operator has given it up."));
    }

    @Test
    void reportsNoEventThatAnOperatorGivesUp() throws StoreException {
        outcomes.put(DATA, new Outcome.Later(null, "away"));
        report(ReportedEventType.RUN_FAILED);
        String id = texts("SELECT id AS text FROM delivery").get(0);
        DeliveryOperations operations =
                new DeliveryOperations(deliveryRepository, new ChannelRegistry(Map.of()), this::tell);

        store.writeAndWait(sql -> operations.giveUp(sql, id, now));

        assertThat(texts("SELECT state AS text FROM delivery")).containsExactly("failed");
        assertThat(pendingActions).isZero();
    }

    @Test
    void namesTheRunOfAnEventInTheListOfDeliveries() throws StoreException {
        store.writeAndWait(sql -> {
            eventReporter.report(sql, ReportedEventType.RUN_FAILED, Map.of("runId", "run_one"), now);
            eventReporter.report(sql, ReportedEventType.BUDGET_WARNED, Map.of("budget", "daily"), now);
            return true;
        });
        DeliveryQueries deliveryQueries = new DeliveryQueries(store);

        assertThat(deliveryQueries
                        .latest(new DeliveryQueries.Filter(null, null, null, null), 10)
                        .found())
                .extracting(DeliveryQueries.Line::event, DeliveryQueries.Line::runId, DeliveryQueries.Line::aboutRun)
                .containsExactly(tuple("budget.warned", null, null), tuple("run.failed", null, new RunId("run_one")));
        assertThat(deliveryQueries.ofRun(new RunId("run_one"), 10)).isEmpty();
    }

    @Test
    void reportsToSubscribersAloneAndInOnePart() throws StoreException {
        assertThat(eventReporter.isWanted(ReportedEventType.RUN_HELD)).isTrue();
        report(ReportedEventType.RUN_HELD);
        assertThat(sent).containsExactly("all run.held " + DATA);
        assertThat(row("state")).isEqualTo("delivered");
        assertThat(pendingActions).isZero();

        use(channel("ops"));
        assertThat(eventReporter.isWanted(ReportedEventType.RUN_HELD)).isFalse();
        report(ReportedEventType.RUN_HELD);
        assertThat(sent).hasSize(1);
        assertThat(signals).hasValue(1);
    }

    @Test
    void keepsTheOrderAndCountsNoActionWhenAnOperatorTriesAgain() throws StoreException {
        outcomes.put(DATA, new Outcome.Later(null, "away"));
        report(ReportedEventType.RUN_FAILED);
        report(ReportedEventType.PROVIDER_DOWN);
        assertThat(sent).containsExactly("all run.failed " + DATA);

        outcomes.put(DATA, new Outcome.Refused("gone"));
        now = now.plusSeconds(5);
        outbox.signal();
        assertThat(sent)
                .containsExactly("all run.failed " + DATA, "all run.failed " + DATA, "all provider.down " + DATA);

        outcomes.clear();
        String first = texts("SELECT id AS text FROM delivery ORDER BY seq").get(0);
        DeliveryOperations operations = new DeliveryOperations(
                deliveryRepository, new ChannelRegistry(Map.of("all", subscriber("all"))), this::tell);
        OperatorResult result = store.writeAndWait(sql -> operations.tryAgain(sql, first, now));
        assertThat(result).isInstanceOf(OperatorResult.Done.class);
        outbox.signal();
        assertThat(sent).last().isEqualTo("all run.failed " + DATA);
        assertThat(pendingActions).isZero();
        assertThat(new DeliveryQueries(store).find(first).orElseThrow().event()).isEqualTo("run.failed");
    }

    private void report(ReportedEventType type) throws StoreException {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("a", "b|c");
        data.put("n", 1);
        data.put("no", null);
        store.writeAndWait(sql -> {
            eventReporter.report(sql, type, data, now);
            return true;
        });
        outbox.signal();
    }

    private Channel subscriber(String id, String... types) {
        return new SplittingChannel() {

            @Override
            public Set<String> events() {
                return Set.of(types);
            }

            @Override
            public Outcome send(Message message) {
                sent.add(id + " " + message.event() + " " + message.text());
                return outcomes.getOrDefault(message.text(), new Outcome.Sent(null));
            }
        };
    }
}
