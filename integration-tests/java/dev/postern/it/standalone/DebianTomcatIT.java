package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A test of Debian's own Tomcat, set up as its page in {@code deploy-descriptors/} says. */
@Tag("long")
class DebianTomcatIT {

    private static final int RELOADS = 3;
    private static final int SENDERS = 2;
    private static final long PAUSE_MILLIS = 200;
    private static final Duration LONGEST = Duration.ofSeconds(60);

    /** After this no version that is gone may be named any more. */
    private static final Duration LONGEST_TRACE = Duration.ofSeconds(10);

    private static final Set<String> ACCEPTED_OR_RETRIED = Set.of("200", "202", "503 with Retry-After");

    /**
     * The answer to a request that Tomcat (10.1.60, {@code CoyoteAdapter}) maps just before the end of a reload, and asks
     * only after it whether the context is still reloading. It never gets to Postern.
     */
    private static final String TOMCATS_404 = "404 of the server";

    private final Queue<String> answers = new ConcurrentLinkedQueue<>();

    @Test
    void saysThatTheHomeIsReadOnlyWithoutTheDropIn() throws Exception {
        try (DebianTomcat tomcat = DebianTomcat.prepare()) {
            tomcat.start(false);

            HttpResponse<String> ready = tomcat.get("/postern/health/ready");
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(tomcat.log()).contains("Read-only file system");
        }
    }

    @Test
    void leavesNoTraceOfVersionsThatAreGone() throws Exception {
        try (DebianTomcat tomcat = DebianTomcat.prepare();
                Senders senders = new Senders()) {
            tomcat.start(true);
            awaitReady(tomcat);
            senders.begin(tomcat.sender());
            for (int i = 0; i < RELOADS; i++) {
                awaitMore();
                assertThat(tomcat.manager("reload?path=/postern")).startsWith("OK");
            }
            awaitMore();
            senders.end();

            assertThat(answers).allMatch(answer -> ACCEPTED_OR_RETRIED.contains(answer) || answer.equals(TOMCATS_404));
            // No more than the one request of each sender at the end of each reload.
            assertThat(answers).filteredOn(TOMCATS_404::equals).hasSizeLessThanOrEqualTo(RELOADS * SENDERS);
            await().atMost(LONGEST_TRACE).untilAsserted(() -> assertThat(tomcat.manager("findleaks?statusLine=true"))
                    .doesNotContain("/postern"));
        }
    }

    @Test
    void answersNothing404WhileOneVersionTakesTheOthersPlace() throws Exception {
        try (DebianTomcat tomcat = DebianTomcat.prepare();
                Senders senders = new Senders()) {
            tomcat.start(true);
            awaitReady(tomcat);
            senders.begin(tomcat.sender());
            awaitMore();

            tomcat.deploy("postern##2.xml", "postern-2.war");
            await().atMost(LONGEST).until(() -> tomcat.log().contains("Postern is waiting to start"));
            tomcat.undeploy("postern.xml");
            awaitReady(tomcat);
            awaitMore();
            senders.end();

            assertThat(answers).allMatch(ACCEPTED_OR_RETRIED::contains);
        }
    }

    private static void awaitReady(DebianTomcat tomcat) {
        await().atMost(LONGEST).until(() -> tomcat.get("/postern/health/ready").statusCode() == 200);
    }

    private void awaitMore() {
        int before = answers.size();
        await().atMost(LONGEST).until(() -> answers.size() > before + 10);
    }

    /** Two senders, each with five requests a second. */
    private final class Senders implements AutoCloseable {

        private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(SENDERS);

        void begin(HookSender sender) {
            every(() -> send(sender, "wake", "{\"text\":\"x\",\"mode\":\"next-heartbeat\"}"));
            every(() -> send(sender, "agent", "{\"message\":\"x\"}"));
        }

        private void every(Runnable request) {
            var unused = threads.scheduleWithFixedDelay(request, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        }

        private void send(HookSender sender, String hook, String body) {
            try {
                answers.add(answer(sender.post(hook, body)));
            } catch (IOException | RuntimeException | AssertionError e) {
                answers.add(e.toString());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private static String answer(PosternResponse posternResponse) {
            String status = Integer.toString(posternResponse.status());
            if (posternResponse.status() < 300) {
                return status;
            }
            if (posternResponse.header("X-Content-Type-Options").isEmpty()) {
                return status + " of the server";
            }
            boolean retried = !posternResponse.header("Retry-After").isEmpty();
            return status + (retried ? " with Retry-After" : ": " + posternResponse.body());
        }

        @Override
        public void close() {
            end();
        }

        /** Returns when the last request has been answered. */
        void end() {
            threads.shutdown();
            await().atMost(LONGEST).until(threads::isTerminated);
        }
    }
}
