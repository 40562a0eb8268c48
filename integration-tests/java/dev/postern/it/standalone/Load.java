package dev.postern.it.standalone;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A load of many senders at once: wakes and agent turns, half of them with an idempotency key, until Postern is gone.
 * It remembers all responses, and the requests under a key that got none. Each text is sent once, or under one key.
 */
final class Load {

    private static final int CONNECTIONS = 16;

    private final AtomicInteger count = new AtomicInteger();
    private final Queue<Sent> answered = new ConcurrentLinkedQueue<>();
    private final Queue<Sent> unanswered = new ConcurrentLinkedQueue<>();

    /**
     * A request with the id from its response.
     *
     * @param key null where it has none
     * @param id null without a response
     */
    record Sent(String hook, String body, String key, String id) {

        Sent with(String answeredId) {
            return new Sent(hook, body, key, answeredId);
        }

        Answer send(Sender sender) throws IOException, InterruptedException {
            return key == null ? sender.post(hook, body) : sender.post(hook, body, "Idempotency-Key", key);
        }

        static String idOf(String hook, Answer answer) {
            return answer.text(hook.equals("wake") ? "eventId" : "runId");
        }
    }

    /** Begins to send; each connection ends with its first request that gets no answer. */
    Running start(Sender sender) {
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        List<Future<Void>> connections = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            connections.add(threads.submit((Callable<Void>) () -> sendUntilGone(sender)));
        }
        return new Running(threads, connections);
    }

    /** A load that is under way. */
    record Running(ExecutorService threads, List<Future<Void>> connections) {

        /** Returns when every connection has ended; throws what one of them saw that should not be. */
        void join() throws Exception {
            try {
                for (Future<Void> each : connections) {
                    each.get();
                }
            } finally {
                threads.shutdownNow();
            }
        }
    }

    /** Sends again what was sent under a key: twice the same answer must come, and what had none gets its own now. */
    int repeat(Sender sender, int most) throws Exception {
        int repeated = 0;
        for (Sent each : answered) {
            if (each.key() != null && repeated < most) {
                Answer answer = each.send(sender);
                repeated++;
                if (!Sent.idOf(each.hook(), answer).equals(each.id())
                        || !answer.header("Idempotent-Replayed").equals("true")) {
                    throw new AssertionError(each + " was answered differently when repeated: " + answer);
                }
            }
        }
        for (Sent each = unanswered.poll(); each != null; each = unanswered.poll()) {
            note(each, each.send(sender));
            repeated++;
        }
        return repeated;
    }

    List<Sent> answered() {
        return List.copyOf(answered);
    }

    private Void sendUntilGone(Sender sender) throws InterruptedException {
        while (true) {
            Sent next = next();
            try {
                note(next, next.send(sender));
            } catch (IOException gone) {
                if (next.key() != null) {
                    unanswered.add(next);
                }
                return null;
            }
        }
    }

    private void note(Sent sent, Answer answer) {
        if (answer.status() / 100 != 2) {
            throw new AssertionError(sent + " was answered " + answer);
        }
        answered.add(sent.with(Sent.idOf(sent.hook(), answer)));
    }

    private Sent next() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        int number = count.incrementAndGet();
        String key = random.nextBoolean() ? "key-" + number : null;
        String text = "text " + number + ".";
        if (random.nextBoolean()) {
            String mode = random.nextBoolean() ? "now" : "next-heartbeat";
            return new Sent("wake", "{\"text\":\"" + text + "\",\"mode\":\"" + mode + "\"}", key, null);
        }
        String session = random.nextBoolean() ? ",\"sessionKey\":\"hook:" + random.nextInt(8) + "\"" : "";
        return new Sent("agent", "{\"message\":\"" + text + "\"" + session + "}", key, null);
    }
}
