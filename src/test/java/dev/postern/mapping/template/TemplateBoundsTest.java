package dev.postern.mapping.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test that no template and no payload takes the server down, whatever they hold. */
class TemplateBoundsTest {

    private static final TemplateInput LARGE = large();

    private static TemplateInput large() {
        ObjectNode payload = JsonNodeFactory.instance.objectNode();
        payload.put("big", "\"\\aé".repeat(50_000));
        payload.put("plain", "a".repeat(200_000));
        payload.put("regex", "(a+)+$");
        payload.put("format", "0".repeat(200_000));
        payload.put("one", 1);
        ArrayNode list = payload.putArray("list");
        for (int i = 0; i < 100_000; i++) {
            list.add(i % 10);
        }
        payload.set("huge", RenderingFixture.json("1e999999999"));
        payload.set("tiny", RenderingFixture.json("1e-999999999"));
        return RenderingFixture.input(payload);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<#assign s = 'ab'><#list 1..64 as i><#assign s = s + s></#list>${s?length}",
                "<#assign s = 'ab'><#list 1..64 as i><#assign s = \"${s}${s}\"></#list>${s?length}",
                "<#assign s = [1]><#list 1..64 as i><#assign s = s + s></#list>${s?size}",
                "<#assign s = [1]><#list 1..64 as i><#assign s = [s, s]></#list>${s}",
                "<#assign s = [1]><#list 1..64 as i><#assign s = {'a': s, 'b': s}></#list>${s}",
                "<#assign s = []><#list 1..10000 as i><#assign s = [s]></#list>${s}",
                "<#assign s = []><#list 1..10000 as i><#assign s = s + [payload.plain + i]></#list>${s?size}",
                "<#assign s = payload.big><#list 1..64 as i><#assign s = s?json_string></#list>${s?length}",
                "<#assign s = 'aa'><#list 1..64 as i><#assign s = s?replace('a', s)></#list>${s?length}",
                "<#assign s = ['aa', 'aa']><#list 1..64 as i><#assign s = [s?join(s?join(',')), 'b']></#list>${s?size}",
                "<#assign n = 9999999999><#list 1..64 as i><#assign n = n * n></#list>${n}",
                "<#assign n = 0.0000000001><#list 1..64 as i><#assign n = n * n></#list>${n}",
                "${payload.plain?replace('a', payload.plain)}",
                "${payload.list?join(payload.plain)}",
                "${payload.one?string(payload.format)}",
                "${payload.one?string[payload.format]}",
                "${'x'?left_pad(2000000000)}",
                "${'x'?right_pad(300000, 'xyz')?right_pad(500000)?right_pad(2000000000)}",
                "${''?left_pad(payload.huge)}",
                "${payload.huge?c}",
                "${payload.huge?round}",
                "${payload.huge + 1}",
                "${payload.tiny % 7}",
                "${payload.huge?string('0')}",
                "${payload.huge?int}",
                "${'1e999999999'?number + 1}",
                "${payload.plain?matches(payload.regex)}",
                "${payload.plain?replace('(a+)+$', 'x', 'r')}",
                "${payload.plain?split('(a+)+$', 'r')?size}",
                "<#list 1..1000000000 as x></#list>",
                "<#list 1..payload.huge as x></#list>",
                "<#list 1..10000 as a><#list 1..10000 as b><#list 1..10000 as c></#list></#list></#list>",
                "<#list payload.list as a><#list payload.list as b><#assign c = a * b></#list></#list>",
                "<#list payload.list as a><#list payload.list as b></#list></#list>",
                "<#list payload.list as a><#if payload.list?filter(b -> b == 11)?size gt 1>x</#if></#list>",
                "${payload.list?filter(a -> payload.list?filter(b -> payload.list?seq_contains('x'))?size gt 1)?size}",
                "${payload.list?map(a -> payload.list?map(b -> payload.list))?size}",
                "${payload.list?map(a -> a)?map(a -> a)?map(a -> a)?size}",
                "${payload.list?sort?sort?sort?size}",
                "<#list 1..10000 as i>${payload.list}</#list>",
                "<#list 1..10000 as i>{{plain}}</#list>",
                "<#compress><#list 1..10000 as a><#list 1..10000 as b>  </#list></#list></#compress>",
                "{{payload}}{{payload}}",
                "${payload.list?map(x -> payload.big?upper_case?lower_case)?size}",
                "<#list payload.list as x><#if payload.big?upper_case == payload.big?lower_case>x</#if></#list>",
                "<#list payload.list?chunk(1) as x>x</#list>",
                "<#switch payload.big><#case payload.list?join(payload.big)>x</#switch>"
            })
    void endsSoonAndSmall(String text) {
        for (int time = 0; time < 2; time++) {
            CompileResult compileResult = TemplateCompiler.compile(text);
            if (compileResult instanceof Template template) {
                long start = System.nanoTime();
                RenderResult renderResult = template.render(LARGE);
                long millis = (System.nanoTime() - start) / 1_000_000;

                assertThat(renderResult).as(text).isNotInstanceOf(RenderResult.Text.class);
                assertThat(millis).as(text).isLessThan(20_000);
            }
            assertThat(RenderingFixture.render("${payload.a} {{a}}", "{\"a\":1}"))
                    .isEqualTo("1 1");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " && payload.big == payload.big",
                " && payload.big?upper_case == 'x'",
                " && payload.list?size == 1",
                " && payload.list?filter(x -> x == 11)?size == 0"
            })
    void aLongRowOfDearConditionsEnds(String condition) {
        CompileResult compileResult = TemplateCompiler.compile("<#if true" + condition.repeat(900) + ">x</#if>");
        long start = System.nanoTime();
        if (compileResult instanceof Template template) {
            template.render(LARGE);
        }

        assertThat((System.nanoTime() - start) / 1_000_000).isLessThan(20_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"payload.one?string", "now?datetime.iso?string", "now?datetime", "payload.one?c?url"})
    void noVariableHoldsAnythingThatCanBeAskedForMore(String expression) {
        assertThat(RenderingFixture.render("<#assign f = " + expression + ">${f[payload.format]}", LARGE))
                .isEmpty();
    }

    @Test
    void sortingLongTextsEnds() {
        String all = String.join(", ", Collections.nCopies(900, "payload.big"));
        Template template = RenderingFixture.template("<#assign a = [" + all + "]>${(a + a + a + a)?sort?size}");
        long start = System.nanoTime();
        template.render(LARGE);

        assertThat((System.nanoTime() - start) / 1_000_000).isLessThan(20_000);
    }

    @Test
    void aLongRowOfBuiltInsEnds() {
        for (String builtIn : new String[] {"?upper_case", "?json_string", "?url", "?html", "?reverse", "?trim"}) {
            CompileResult compileResult = TemplateCompiler.compile("${payload.big" + builtIn.repeat(140) + "}");
            long start = System.nanoTime();
            if (compileResult instanceof Template template) {
                template.render(LARGE);
            }

            assertThat((System.nanoTime() - start) / 1_000_000).as(builtIn).isLessThan(20_000);
        }
    }

    @Test
    void oneRenderingUsesLittleMemory() {
        Template template = RenderingFixture.template(
                "<#assign s = []><#list 1..10000 as i><#assign s = s + [payload.plain + i]></#list>${s?size}");
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();

        assertThat(template.render(LARGE)).isInstanceOf(RenderResult.Failed.class);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(300L << 20);
    }

    @Test
    void deepValuesOnASmallStackEndInAnOutcome() throws InterruptedException, ExecutionException {
        ArrayNode deep = JsonNodeFactory.instance.arrayNode();
        ArrayNode inner = deep;
        for (int i = 0; i < 20_000; i++) {
            inner = inner.addArray();
        }
        TemplateInput input = RenderingFixture.input(deep);
        for (String text : new String[] {"{{payload}}", "${payload}", "${payload?join(',')}"}) {
            Template template = RenderingFixture.template(text);
            FutureTask<RenderResult> task = new FutureTask<>(() -> template.render(input));
            Thread thread = new Thread(null, task, "small", 256 * 1024);
            thread.start();

            assertThat(task.get()).as(text).isInstanceOf(RenderResult.Failed.class);
            thread.join();
        }
    }
}
