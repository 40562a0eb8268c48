package dev.postern.mapping.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of payloads as long as may be, with texts for which FreeMarker or the JDK would take hours. */
class CostlyTextsTest {

    private static final int LENGTH = 250_000;
    private static final TemplateInput INPUT = RenderingFixture.input(payload());

    private static JsonNode payload() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("sigmas", "\u03a3".repeat(LENGTH / 2))
                .put("quoted", "\u03a3'".repeat(LENGTH / 3))
                .put("dotted", "\u0130".repeat(LENGTH / 2))
                .put("two", "\u0149".repeat(LENGTH / 2))
                .put("three", "\ufb03".repeat(LENGTH / 3))
                .put("words", "\u03a3 ".repeat(LENGTH / 3))
                .put("a", "a".repeat(LENGTH))
                .put("ab", "a".repeat(LENGTH / 2) + "b")
                .put("ba", "b" + "a".repeat(LENGTH / 2))
                .put("digits", "9".repeat(LENGTH));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "${payload.sigmas?lower_case}",
                "${payload.quoted?lower_case}",
                "${payload.quoted?c_lower_case}",
                "${payload.dotted?lower_case}",
                "${payload.sigmas?capitalize}",
                "${payload.words?capitalize}",
                "${payload.two?upper_case}",
                "${payload.three?c_upper_case}",
                "${headers[payload.sigmas]!}",
                "${payload.a?contains(payload.ab)?c}",
                "${payload.a?index_of(payload.ab)}",
                "${payload.a?index_of(payload.ab, 5)}",
                "${payload.a?last_index_of(payload.ba)}",
                "${payload.a?split(payload.ab)?size}",
                "${payload.a?replace(payload.ab, 'x')}",
                "${payload.a?keep_before(payload.ab)}",
                "${payload.a?keep_before_last(payload.ba)}",
                "${payload.a?keep_after(payload.ab)}",
                "${payload.a?keep_after_last(payload.ba)}",
                "${payload.digits?datetime('yyyy')}",
                "${payload.digits?date('yyyyMMddHHmmssSSS')}",
                "${payload.digits?time.iso}",
                "<#list payload.words?split(' ', 'x') as w>${w?lower_case}</#list>",
                "<#list 1..10000 as i>${payload.a?contains('aaaaaaaaaaaaaaaaaaaaaaab')?c}</#list>"
            })
    void endsSoon(String text) {
        if (TemplateCompiler.compile(text) instanceof Template template) {
            for (int time = 0; time < 2; time++) {
                long start = System.nanoTime();
                RenderResult renderResult = template.render(INPUT);

                assertThat((System.nanoTime() - start) / 1_000_000).isLessThan(20_000);
                if (renderResult instanceof RenderResult.Failed failed) {
                    assertThat(failed.sentence()).doesNotContain("aaaa", "9999");
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "lower_case, ODOS ΟΔΟΣ ΣΑΣ, odos οδος σας",
        "upper_case, straße ﬃ ŉ, STRASSE FFI ʼN",
        "capitalize, heLLO  wORLD ΟΔΟΣ, Hello  World Οδος"
    })
    void changesCaseAsAlways(String builtIn, String text, String expected) {
        JsonNode payload = JsonNodeFactory.instance.objectNode().put("a", text);
        assertThat(RenderingFixture.render("${payload.a?" + builtIn + "}", RenderingFixture.input(payload)))
                .isEqualTo(expected);
    }
}
