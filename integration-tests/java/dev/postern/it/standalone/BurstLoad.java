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
final class BurstLoad {

    private static final int CONNECTIONS = 16;

    private final AtomicInteger count = new AtomicInteger();
    private final Queue<SentRequest> answered = new ConcurrentLinkedQueue<>();
    private final Queue<SentRequest> unanswered = new ConcurrentLinkedQueue<>();

    /**
     * A request with the id from its response.
     *
     * @param key null where it has none
     * @param id null without a response
     */
    record SentRequest(String hook, String body, String key, String id) {

        SentRequest with(String answeredId) {
            return new SentRequest(hook, body, key, answeredId);
        }

        PosternResponse send(HookSender sender) throws IOException, InterruptedException {
            return key == null ? sender.post(hook, body) : sender.post(hook, body, "Idempotency-Key", key);
        }

        static String idOf(String hook, PosternResponse posternResponse) {
            return posternResponse.text(hook.equals("wake") ? "eventId" : "runId");
        }
    }

    /** Begins to send; each connection ends with its first request that gets no answer. */
    RunningLoad start(HookSender sender) {
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        List<Future<Void>> connections = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            connections.add(threads.submit((Callable<Void>) () -> sendUntilGone(sender)));
        }
        return new RunningLoad(threads, connections);
    }

    /** A load that is under way. */
    record RunningLoad(ExecutorService threads, List<Future<Void>> connections) {

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
    int repeat(HookSender sender, int most) throws Exception {
        int repeated = 0;
        for (SentRequest each : answered) {
            if (each.key() != null && repeated < most) {
                PosternResponse posternResponse = each.send(sender);
                repeated++;
                if (!SentRequest.idOf(each.hook(), posternResponse).equals(each.id())
                        || !posternResponse.header("Idempotent-Replayed").equals("true")) {
                    throw new AssertionError(each + " was answered differently when repeated: " + posternResponse);
                }
            }
        }
        for (SentRequest each = unanswered.poll(); each != null; each = unanswered.poll()) {
            note(each, each.send(sender));
            repeated++;
        }
        return repeated;
    }

    List<SentRequest> answered() {
        return List.copyOf(answered);
    }

    private Void sendUntilGone(HookSender sender) throws InterruptedException {
        while (true) {
            SentRequest next = next();
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

    private void note(SentRequest sent, PosternResponse posternResponse) {
        if (posternResponse.status() / 100 != 2) {
            throw new AssertionError(sent + " was answered " + posternResponse);
        }
        answered.add(sent.with(SentRequest.idOf(sent.hook(), posternResponse)));
    }

    private SentRequest next() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        int number = count.incrementAndGet();
        String key = random.nextBoolean() ? "key-" + number : null;
        String text = "text " + number + ".";
        if (random.nextBoolean()) {
            String mode = random.nextBoolean() ? "now" : "next-heartbeat";
            return new SentRequest("wake", "{\"text\":\"" + text + "\",\"mode\":\"" + mode + "\"}", key, null);
        }
        String session = random.nextBoolean() ? ",\"sessionKey\":\"hook:" + random.nextInt(8) + "\"" : "";
        return new SentRequest("agent", "{\"message\":\"" + text + "\"" + session + "}", key, null);
    }
}
