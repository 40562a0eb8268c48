package dev.postern.it.standalone;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A group of persistent senders. Each sends wakes, agent turns and mapped hooks, every other one under an idempotency
 * key, and repeats those under a key until they are accepted. It asks for a run in between. Each text is sent once, or
 * under one key.
 */
final class RetryingLoad {

    private static final int SENDERS = 6;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final List<String> HOOKS = List.of("wake", "agent", "mapped");

    private final HookSender sender;
    private final ExecutorService threads = Executors.newFixedThreadPool(SENDERS);
    private final List<Future<?>> senders = new ArrayList<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger unavailable = new AtomicInteger();
    private final AtomicLong slowest = new AtomicLong();
    private final Set<String> taken = ConcurrentHashMap.newKeySet();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private volatile boolean over;
    private volatile String run = "";

    private RetryingLoad(HookSender sender) {
        this.sender = sender;
    }

    /** Begins to send. */
    static RetryingLoad begin(HookSender sender) {
        RetryingLoad begun = new RetryingLoad(sender);
        for (int i = 0; i < SENDERS; i++) {
            begun.senders.add(begun.threads.submit(begun::sendUntilOver));
        }
        return begun;
    }

    /** Sends nothing new any more, and returns when what goes under a key was taken. */
    void end() throws Exception {
        over = true;
        for (Future<?> each : senders) {
            each.get(1, TimeUnit.MINUTES);
        }
        threads.shutdownNow();
    }

    /** Texts whose requests were answered 200 or 202. */
    Set<String> taken() {
        return taken;
    }

    /** Texts of which the only answer said that nothing was accepted. */
    Set<String> refused() {
        return refused;
    }

    /** What was answered neither truly nor with 503, or answered it and left out when to come again. */
    List<String> faults() {
        return List.copyOf(faults);
    }

    /** How many requests were answered 503. */
    int unavailableCount() {
        return unavailable.get();
    }

    /** The longest time that an answer took since this was asked the last time. */
    Duration slowest() {
        return Duration.ofNanos(slowest.getAndSet(0));
    }

    private Void sendUntilOver() throws Exception {
        while (!over) {
            int number = count.incrementAndGet();
            String text = "text " + number + ".";
            String hook = HOOKS.get(number % HOOKS.size());
            send(text, hook, number % 2 == 0);
            if (number % 5 == 0 && !run.isEmpty()) {
                ask();
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return null;
    }

    private void send(String text, String hook, boolean underKey) throws Exception {
        String body = "{\"" + (hook.equals("wake") ? "text" : "message") + "\":\"" + text + "\",\"deliver\":false}";
        PosternResponse posternResponse;
        do {
            long start = System.nanoTime();
            posternResponse = underKey ? sender.post(hook, body, "Idempotency-Key", text) : sender.post(hook, body);
            slowest.accumulateAndGet(System.nanoTime() - start, Math::max);
            if (posternResponse.status() / 100 == 2) {
                taken.add(text);
                if (hook.equals("agent")) {
                    run = posternResponse.text("runId");
                }
                return;
            }
            check(posternResponse);
            LockSupport.parkNanos(PAUSE_NANOS);
        } while (underKey);
        if (posternResponse.text("error").contains("Nothing was accepted")) {
            refused.add(text);
        }
    }

    private void ask() throws Exception {
        long start = System.nanoTime();
        PosternResponse posternResponse = sender.run(run);
        slowest.accumulateAndGet(System.nanoTime() - start, Math::max);
        if (posternResponse.status() != 200) {
            check(posternResponse);
        }
    }

    private void check(PosternResponse posternResponse) {
        unavailable.incrementAndGet();
        if (posternResponse.status() != 503
                || !posternResponse.text("code").equals("unavailable")
                || !posternResponse.header("Retry-After").matches("[1-9][0-9]*")) {
            faults.add(posternResponse.toString());
        }
    }
}
