package dev.postern.it.standalone;

import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;

import com.github.tomakehurst.wiremock.client.MappingBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A load of many senders at once until Postern is gone: wakes, agent turns, turns with a reply to a channel, mapped requests,
 * and requests that share a run. Half of them have an idempotency key. It remembers all responses, and the requests under a
 * key that got none. Each text is sent once, or under one key.
 */
final class BurstLoad {

    private static final String HOOKS = HomeFixture.hooks(
            "allowRequestSessionKey: true",
            "allowedSessionKeyPrefixes: ['hook:']",
            "maxPending: 100000",
            "mappings:",
            "- {id: mapped, match: {path: mapped}, template: '{{payload.text}}', sessionKey: 'hook:mapped:{{payload.key}}'}",
            "- {id: storm, match: {path: storm}, template: '{{payload.text}}', sessionKey: 'hook:storm',"
                    + " coalesce: {key: '{{payload.key}}', window: 1s, maxWait: 2s, maxItems: 20}}");

    /** The path at which the replies' channel takes them. */
    static final String REPLIES = "/chat.postMessage";

    private static final String CHANNEL = "ops";
    private static final int RECIPIENTS = 4;

    /** The texts that came in from requests, with the id of what they have become. A run that collects has its first text too. */
    static final String TEXTS =
            """
            SELECT message AS text, id FROM run WHERE items IS NULL
            UNION SELECT text, action_id FROM request_item
            UNION ALL SELECT text, id FROM event WHERE kind = 'wake'""";

    private static final int CONNECTIONS = 16;
    private static final int SESSIONS = 8;

    private static final String FILLER = " and more";

    private final int longest;
    private final AtomicInteger count = new AtomicInteger();
    private final Queue<SentRequest> answered = new ConcurrentLinkedQueue<>();
    private final Queue<SentRequest> unanswered = new ConcurrentLinkedQueue<>();

    BurstLoad() {
        this(1);
    }

    /** @param longest the number of characters that a text gets at most, behind its number */
    BurstLoad(int longest) {
        this.longest = longest;
    }

    /** The sections of a configuration that takes each of its requests, with the replies' channel at {@code address}. */
    static String[] sections(String address) {
        return new String[] {
            HOOKS,
            "agents: {defaults: {maxAttempts: 100}}",
            "channels: {" + CHANNEL + ": {kind: slack, botToken: xoxb-ops, baseUrl: '" + address + "'}}"
        };
    }

    /** The response of that channel to each reply. */
    static MappingBuilder replyTaken() {
        return post(REPLIES).willReturn(okJson("{\"ok\":true,\"ts\":\"1.2\"}"));
    }

    /**
     * A request with the id from its response.
     *
     * @param text the text in its body
     * @param key null where it has none
     * @param id null without a response
     */
    record SentRequest(String hook, String text, String body, String key, String id) {

        SentRequest with(String answeredId) {
            return new SentRequest(hook, text, body, key, answeredId);
        }

        boolean hasReply() {
            return body.contains("\"channel\"");
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

    /** The text of the request of this number, which counts from 1. */
    String text(int number) {
        return "text " + number + "." + FILLER.repeat(number * 31 % longest / FILLER.length());
    }

    /** How many texts there are so far. */
    int count() {
        return count.get();
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
        String text = text(number);
        int kind = random.nextInt(16);
        if (kind < 7) {
            String mode = random.nextBoolean() ? "now" : "next-heartbeat";
            return new SentRequest("wake", text, body("text", text, "mode", mode), key, null);
        }
        if (kind < 9) {
            return new SentRequest("agent", text, body("message", text), key, null);
        }
        String session = Integer.toString(random.nextInt(SESSIONS));
        if (kind < 11) {
            return new SentRequest("agent", text, body("message", text, "sessionKey", "hook:" + session), key, null);
        }
        if (kind < 12) {
            String to = "C" + random.nextInt(RECIPIENTS);
            return new SentRequest("agent", text, body("message", text, "channel", CHANNEL, "to", to), key, null);
        }
        String hook = kind < 14 ? "mapped" : "storm";
        return new SentRequest(hook, text, body("text", text, "key", session), key, null);
    }

    /** A JSON object of {@code namesAndValues}, which need no escapes. */
    private static String body(String... namesAndValues) {
        StringJoiner body = new StringJoiner(",", "{", "}");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            body.add("\"" + namesAndValues[i] + "\":\"" + namesAndValues[i + 1] + "\"");
        }
        return body.toString();
    }
}
