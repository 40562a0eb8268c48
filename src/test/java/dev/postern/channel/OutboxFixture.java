package dev.postern.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.DeliveryRepository.Added;
import dev.postern.channel.DeliveryRepository.Reply;
import dev.postern.model.IdGenerator;
import dev.postern.model.Recipient;
import dev.postern.model.RunId;
import dev.postern.model.RunState;
import dev.postern.model.SessionId;
import dev.postern.store.SqlTransaction;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import dev.postern.store.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An outbox on an empty database that runs on threads of the test, and the messages that it sent. */
abstract class OutboxFixture {

    static final SessionId SESSION = new SessionId("hook:1");
    static final String NODE = "node_1";
    static final int MAX_ATTEMPTS = 8;

    @TempDir
    Path home;

    final List<String> sent = new ArrayList<>();
    final Map<String, Outcome> outcomes = new HashMap<>();
    final List<String> told = new ArrayList<>();
    /** Runs before the agent is told of a failure. */
    Runnable beforeTelling = () -> {};

    String separator = "|";
    int atOnce = 1;
    int pendingActions;
    TestDatabases.Opener database;
    Instant now = Instant.parse("2026-11-21T12:00:00Z");
    /** The configured recipient of heartbeats. */
    final Map<String, Recipient> heartbeats = new HashMap<>();

    Store store;
    DeliveryRepository deliveryRepository;
    Outbox outbox;

    @BeforeEach
    void open() throws StoreException {
        database = database(home);
        store = database.open(() -> now);
        enter(NODE);
        use(new ChannelRegistry(Map.of()));
    }

    abstract TestDatabases.Opener database(Path home);

    @AfterEach
    void close() {
        store.close();
    }

    void tick() {
        now = now.plusMillis(1);
    }

    void use(ChannelRegistry channelRegistry) {
        use(channelRegistry, Runnable::run);
    }

    void use(ChannelRegistry channelRegistry, Executor executor) {
        deliveryRepository = new DeliveryRepository(
                channelRegistry,
                new IdGenerator(() -> now),
                new EventReporter(channelRegistry, new IdGenerator(() -> now)),
                (sql, by) -> pendingActions += by,
                agent -> Optional.ofNullable(heartbeats.get(agent)));
        outbox = outbox(channelRegistry, executor);
    }

    Outbox outbox(ChannelRegistry channelRegistry, Executor executor) {
        return new Outbox(
                store,
                deliveryRepository,
                channelRegistry,
                NODE,
                MAX_ATTEMPTS,
                atOnce,
                this::tell,
                executor,
                () -> now);
    }

    void tell(SqlTransaction sql, String agentId, @Nullable String runId, String line) {
        beforeTelling.run();
        told.add(agentId + " " + runId + " " + line);
    }

    void enter(String node) throws StoreException {
        store.writeAndWait(sql -> sql.update("INSERT INTO node (id, started_at, seen_at) VALUES (?, 0, 0)", node));
    }

    void claimAs(String node) throws StoreException {
        DeliveryClaims other = new DeliveryClaims(node, deliveryRepository, this::tell);
        assertThat(claimNext(other)).isPresent();
    }

    void claimAsOneThatDies(String node) throws StoreException {
        enter(node);
        claimAs(node);
        store.writeAndWait(sql -> sql.update("DELETE FROM node WHERE id = ?", node));
    }

    Optional<ClaimedDelivery> claimNext(DeliveryClaims deliveryClaims) throws StoreException {
        Optional<ClaimedDelivery> claimed = new DueDeliveryQueue("ops", store, deliveryClaims, () -> now).claim();
        claimed.ifPresent(delivery -> deliveryClaims.cancelReservation(delivery.id()));
        return claimed;
    }

    void take(@Nullable String node) {
        update("UPDATE delivery SET sender = ?", node);
    }

    void update(String statement, @Nullable Object... values) {
        try {
            store.writeAndWait(sql -> sql.update(statement, values));
        } catch (StoreException e) {
            throw new IllegalStateException(e);
        }
    }

    static void closeSoon(Outbox outbox) {
        try {
            outbox.close(Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A channel that sends a reply in the parts between bars. */
    interface SplittingChannel extends StubChannel {

        @Override
        default List<String> parts(String reply) {
            return List.of(reply.split("\\|"));
        }
    }

    /** A channel that accepts only some recipients. */
    static final class SelectiveChannel implements StubChannel {

        @Override
        public @Nullable String refusal(@Nullable String to) {
            return "to must be a number";
        }

        @Override
        public Outcome send(Message message) {
            return new Outcome.Sent(null);
        }
    }

    ChannelRegistry splitting() {
        Channel parts = new StubChannel() {

            @Override
            public List<String> parts(String reply) {
                return List.of(reply.split(Pattern.quote(separator)));
            }

            @Override
            public Outcome send(Message message) {
                sent.add(message.number() + "/" + message.of() + " " + message.text());
                return outcomes.getOrDefault(message.text(), new Outcome.Sent("id of " + message.text()));
            }
        };
        return new ChannelRegistry(Map.of("ops", parts));
    }

    ChannelRegistry channel(String... ids) {
        Map<String, Channel> usable = new LinkedHashMap<>();
        for (String id : ids) {
            usable.put(id, (StubChannel) message -> {
                sent.add(id + " " + message.to() + " " + message.text());
                return outcomes.getOrDefault(message.text(), new Outcome.Sent(null));
            });
        }
        return new ChannelRegistry(usable);
    }

    Added add(String channel, @Nullable String to, String text) throws StoreException {
        return add(SESSION, channel, to, text);
    }

    Added add(SessionId session, String channel, @Nullable String to, String text) throws StoreException {
        Reply reply = new Reply(new RunId("run_1"), RunState.SUCCEEDED, session, new Recipient(channel, to), text);
        return store.writeAndWait(sql -> deliveryRepository.add(sql, reply, now));
    }

    String row(String column) throws StoreException {
        return texts("SELECT " + column + " AS text FROM delivery").get(0);
    }

    List<String> texts(String query) throws StoreException {
        return store.read(sql -> sql.query(query, row -> row.text("text")));
    }
}
