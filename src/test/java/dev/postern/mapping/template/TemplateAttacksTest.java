package dev.postern.mapping.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A test of every known attack on FreeMarker, twice in one process, with an ordinary template rendered after each. */
@Tag("long")
class TemplateAttacksTest {

    private static final List<String> SIGNS = List.of(
            "1337", "uid=", "root:", "java.", "freemarker", "ClassLoader", "Execute", "class ", "sun.", "@sent", "__");

    /** In CPU time, because a build shares its machine. */
    private static final long LONGEST_NANOS = 6_000_000_000L;

    private static final long HEAP_SLACK_BYTES = 64L * 1024 * 1024;

    private static TemplateInput large;
    private static long heapBefore;

    @BeforeAll
    static void start() {
        large = RenderingFixture.input(large());
        answers();
        heapBefore = heap();
    }

    @AfterAll
    static void theHeapIsBackToWhereItWas() {
        assertThat(heap()).isLessThan(heapBefore + HEAP_SLACK_BYTES);
    }

    /** A payload as large as may be sent, in every way, and full of templates, so that a second evaluation shows. */
    private static ObjectNode large() {
        ObjectNode payload = JsonNodeFactory.instance.objectNode();
        payload.put("title", "<#assign x=7*191>${x} ${7*191} #{7*191} {{now}} (a+)+$");
        payload.put("name", "${7*191}").put("size", 3).put("one", 1);
        payload.put("neg", Integer.MIN_VALUE).put("max", Long.MAX_VALUE).putNull("nil");
        payload.putObject("body").put("class", "c");
        payload.put("big", "\"\\aé".repeat(50_000)).put("plain", "a".repeat(200_000));
        payload.put("spaces", " ".repeat(200_000)).put("dots", ".".repeat(200_000));
        payload.put("nearly", "a".repeat(500) + "b");
        payload.set("huge", RenderingFixture.json("1e999999999"));
        payload.set("digits", RenderingFixture.json("7".repeat(500) + "." + "3".repeat(500)));
        ArrayNode list = payload.putArray("list");
        ObjectNode wide = payload.putObject("wide");
        ArrayNode objects = payload.putArray("objects");
        for (int i = 0; i < 100_000; i++) {
            list.add(i % 10);
        }
        for (int i = 0; i < 9_000; i++) {
            wide.put("key" + i, i);
            objects.addObject().put("k", "some text " + (9_000 - i));
        }
        return payload;
    }

    private static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static void answers() {
        assertThat(RenderingFixture.render("${payload.size} ${\"I\"?lower_case} {{name}} ${payload.missing.x}", large))
                .isEqualTo("3 i ${7*191} ");
    }

    static Stream<TemplateAttack> templates() {
        return Stream.concat(
                TemplateAttack.of("freemarker-attacks.json"), TemplateAttack.of("freemarker-templates.json"));
    }

    @ParameterizedTest
    @MethodSource("templates")
    void aHostileTemplateIsContained(TemplateAttack attack) {
        for (int time = 0; time < 2; time++) {
            long start = cpuNanos();
            CompileResult compileResult = TemplateCompiler.compile(attack.template());
            String shown = compileResult instanceof Template template ? shown(template.render(large)) : "";
            long nanos = cpuNanos() - start;

            assertThat(shown).doesNotContain(SIGNS);
            assertThat(nanos).isLessThan(LONGEST_NANOS);
            answers();
        }
    }

    static Stream<TemplateAttack> payloads() {
        return TemplateAttack.of("freemarker-payloads.json");
    }

    @ParameterizedTest
    @MethodSource("payloads")
    void anHonestTemplateWithstandsAHostilePayload(TemplateAttack attack) {
        TemplateInput input = RenderingFixture.input(attack.payload());
        Template template = RenderingFixture.template(attack.template());
        for (int time = 0; time < 2; time++) {
            long start = cpuNanos();
            RenderResult renderResult = template.render(input);
            long nanos = cpuNanos() - start;

            assertThat(nanos).isLessThan(LONGEST_NANOS);
            if (attack.gives() != null) {
                assertThat(renderResult).isEqualTo(new RenderResult.Text(attack.gives()));
            } else if (renderResult instanceof RenderResult.Failed failed) {
                assertThat(failed.sentence()).doesNotContain("hunter2", "__");
            }
            answers();
        }
    }

    @Test
    void manyAtOnceAreContainedWhileAnOrdinaryTemplateAnswers() throws InterruptedException, ExecutionException {
        List<Template> greedy = TemplateAttack.of("freemarker-templates.json")
                .filter(attack -> attack.kind().equals("memory"))
                .map(attack -> RenderingFixture.template(attack.template()))
                .toList();
        List<FutureTask<RenderResult>> tasks = new ArrayList<>();
        for (Template template : greedy) {
            FutureTask<RenderResult> task = new FutureTask<>(() -> template.render(large));
            tasks.add(task);
            new Thread(task, "greedy").start();
        }
        answers();
        for (FutureTask<RenderResult> task : tasks) {
            assertThat(task.get()).isNotNull();
            answers();
        }
    }

    private static String shown(RenderResult renderResult) {
        return renderResult instanceof RenderResult.Text text
                ? text.value()
                : ((RenderResult.Failed) renderResult).sentence();
    }
}
