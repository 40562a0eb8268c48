package dev.postern.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.mapping.script.ScriptResult;
import dev.postern.mapping.script.Scripts;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;

/**
 * CPU time of a warm transform, for a payload of 2 KB and one of 200 KB: of the thread that asks and of those that run it
 * together, with a fresh scope for each call.
 */
public final class ScriptBench {

    private static final int ROUNDS = 6;
    private static final String PREFIX = "postern-bench";
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static final String TRANSFORM =
            """
            interface Item { id: number; title?: string; state: string }
            export default function ({payload}: {payload: {title: string; repo: {name: string}; items: Item[]}}) {
              const {items, ...rest} = payload;
              const open = items.filter(item => item.state === 'open');
              const lines = open.slice(0, 20).map(item => `- #${item.id} ${item.title?.trim() ?? 'untitled'}`);
              return {
                message: `${rest.title}: ${open.length} of ${items.length} open\\n${lines.join('\\n')}`,
                sessionKey: `hook:${rest.repo.name}`
              };
            }
            """;

    private ScriptBench() {}

    /** Runs the bench and prints microseconds a call, round by round. */
    public static void main(String[] args) throws Exception {
        Path root = Files.createTempDirectory("postern-bench");
        Path module = Files.writeString(root.resolve("transform.ts"), TRANSFORM);
        try (Scripts scripts = new Scripts(root, PREFIX, InstantSource.system())) {
            if (!scripts.prepare(module, null).isEmpty()) {
                throw new IllegalStateException("the transform is broken");
            }
            measure(scripts, module, input(12), 10_000);
            measure(scripts, module, input(1200), 1_000);
        }
    }

    private static void measure(Scripts scripts, Path module, ObjectNode input, int calls) {
        System.out.println("payload of " + input.path("payload").toString().length() + " characters");
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            long cpu = cpu();
            for (int i = 0; i < calls; i++) {
                if (!(scripts.run(module, null, input) instanceof ScriptResult.Returned)) {
                    throw new IllegalStateException("the transform failed");
                }
            }
            System.out.printf(
                    "  %.1f us of CPU, %.1f us%n",
                    (cpu() - cpu) / 1000.0 / calls, (System.nanoTime() - start) / 1000.0 / calls);
        }
    }

    private static long cpu() {
        long sum = 0;
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread == Thread.currentThread() || thread.getName().matches(PREFIX + "-script-\\d+")) {
                sum += Math.max(0, THREADS.getThreadCpuTime(thread.getId()));
            }
        }
        return sum;
    }

    private static ObjectNode input(int items) {
        ObjectNode input = new ObjectMapper().createObjectNode();
        ObjectNode payload = input.putObject("payload").put("title", "Board");
        payload.putObject("repo").put("name", "postern");
        ArrayNode list = payload.putArray("items");
        for (int i = 0; i < items; i++) {
            ObjectNode item = list.addObject();
            item.put("id", i).put("title", "number " + i + " is something that should be done today");
            item.put("state", i % 3 == 0 ? "open" : "closed").put("score", 1.5);
            item.putArray("labels").add("one").add("two");
            item.putObject("user").put("login", "user" + i);
        }
        input.putObject("headers").put("content-type", "application/json");
        input.putObject("query");
        input.put("path", "board").put("now", "2026-11-20T12:00:00Z");
        input.putObject("action").put("message", "as templated");
        return input;
    }
}
