package dev.postern.it.standalone;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A load of agent turns for many sessions over a period of time, to any node. A request with no response, or 503, is
 * sent again under the same idempotency key until it is accepted. Only then comes the next one of its session.
 */
final class SteadyLoad {

    private static final int THREADS = 24;
    private static final Duration PATIENCE = TimeBound.of(Duration.ofSeconds(3));
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final Cluster cluster;
    private final int sessions;
    private final int runs;
    private final Body body;
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(THREADS);
    private final AtomicInteger unfinished;
    private final CompletableFuture<Boolean> end = new CompletableFuture<>();
    private final Queue<String> answered = new ConcurrentLinkedQueue<>();
    private final AtomicInteger repeated = new AtomicInteger();

    /** A source of the bodies of a session's requests. */
    interface Body {
        String of(int session, int run);
    }

    /** Begins to send {@code runs} turns for each of {@code sessions}, spread over {@code time}. */
    SteadyLoad(Cluster cluster, int sessions, int runs, Duration time, Body body) {
        this.cluster = cluster;
        this.sessions = sessions;
        this.runs = runs;
        this.body = body;
        this.unfinished = new AtomicInteger(sessions);
        long pause = time.dividedBy(runs).toMillis();
        for (int i = 0; i < sessions; i++) {
            Session session = new Session(i);
            long first = ThreadLocalRandom.current().nextLong(pause);
            var unused = threads.scheduleWithFixedDelay(session::next, first, pause, TimeUnit.MILLISECONDS);
        }
    }

    static String key(int session) {
        return "hook:" + session;
    }

    /** Returns when everything was accepted; throws what was answered otherwise. */
    void join() throws Exception {
        try {
            end.get(LONGEST.toSeconds(), TimeUnit.SECONDS);
        } finally {
            threads.shutdownNow();
        }
    }

    /** The ids of the runs that were accepted. */
    List<String> answered() {
        return List.copyOf(answered);
    }

    /** How many requests had to be sent again. */
    int repeated() {
        return repeated.get();
    }

    /** For each session its key, and the numbers of its turns. */
    List<String> asked() {
        String numbers = IntStream.range(0, runs).mapToObj(Integer::toString).collect(Collectors.joining(" "));
        List<String> asked = new ArrayList<>();
        for (int i = 0; i < sessions; i++) {
            asked.add(key(i) + ": " + numbers);
        }
        return asked;
    }

    private final class Session {

        private final int number;
        private int next;

        Session(int number) {
            this.number = number;
        }

        /** Sends one turn; called by one thread at a time. */
        void next() {
            if (next == runs) {
                return;
            }
            String id = accepted(body.of(number, next), key(number) + "/" + next);
            if (id == null) {
                return;
            }
            answered.add(id);
            next++;
            if (next == runs && unfinished.decrementAndGet() == 0) {
                end.complete(true);
            }
        }

        /** The id of the run that was accepted; null where what was answered should not be, or the load has ended. */
        private String accepted(String text, String idempotencyKey) {
            while (!end.isDone() && !threads.isShutdown()) {
                Cluster.Node node = cluster.node(
                        ThreadLocalRandom.current().nextInt(cluster.nodes().size()));
                try {
                    PosternResponse posternResponse =
                            node.sender().within(PATIENCE).post("agent", text, "Idempotency-Key", idempotencyKey);
                    if (posternResponse.status() == 202) {
                        return posternResponse.text("runId");
                    }
                    if (posternResponse.status() != 503) {
                        end.completeExceptionally(new AssertionError(text + " was answered " + posternResponse));
                        return null;
                    }
                } catch (IOException | IllegalStateException gone) {
                    repeated.incrementAndGet();
                    continue;
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return null;
                }
                repeated.incrementAndGet();
            }
            return null;
        }
    }
}
