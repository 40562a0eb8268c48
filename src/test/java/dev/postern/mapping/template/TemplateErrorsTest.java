package dev.postern.mapping.template;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of the errors of templates, and of their positions. */
class TemplateErrorsTest {

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "${payload.a?eval} | 3 | ?eval",
                "${payload.a?interpret} | 3 | ?interpret",
                "${'x'?new()} | 3 | ?new",
                "${payload?api.x} | 3 | ?api",
                "${payload.a?eval_json} | 3 | ?eval_json",
                "${\"${payload.a?eval}\"} | 6 | ?eval",
                "${payload.a?matches('x')} | 3 | ?contains",
                "${payload.a?replace('a', 'b', 'r')} | 3 | 2 argument",
                "${payload.a?split('a', 'r')} | 3 | 1 argument",
                "${payload.a?string(payload.b)} | 20 | written out",
                "${payload.getClass()} | 3 | called",
                "${payload.a.b(1)} | 3 | called",
                "${payload.a?then(1, 2)(3, 4)} | 3 | called",
                "${payload.a?string['x' + payload.b]} | 20 | written out",
                "${.data_model} | 3 | payload",
                "${.now} | 3 | payload",
                "${(1..)?size} | 4 | end",
                "${headers.x-event} | 3 | headers[",
                "<#include 'x'> | 1 | include",
                "<#import 'x' as y> | 1 | import",
                "<#setting locale='de'> | 1 | setting",
                "<#macro m>x</#macro> | 1 | Macros",
                "<#function f><#return 1></#function> | 1 | functions",
                "<@x/> | 1 | nothing to call",
                "<#attempt>x<#recover>y</#attempt> | 1 | attempt",
                "<#assign x>y</#assign> | 1 | assign",
                "<#assign x += 1> | 1 | x + 1",
                "<#assign payload = 1> | 1 | name",
                "<#list payload as x\\-y>a</#list> | 1 | letters",
                "${payload.list?map(x\\.y -> 1)} | 20 | letters",
                "<#assign __x = 1> | 1 | underscore",
                "${__none} | 3 | underscore",
                "${__value(1)} | 3 | called",
                "<#list payload as __x>a</#list> | 1 | underscore",
                "<#global x = 1> | 1 | assign",
                "<#escape x as x?html>a</#escape> | 1 | escape",
                "<#stop 'x'> | 1 | stop",
                "<#flush> | 1 | flush",
                "<#autoesc>x</#autoesc> | 1 | ",
                "<#ftl strip_text=true>x | 1 | ftl",
                "<#if payload.a> | 15 | #if",
                "${payload.a | 1 | This ${ is not closed; write } after its expression",
                "${payload.?x} | 11 | ",
                "<#list payload.a?map('x') as y>a</#list> | 22 | x.name",
                "<#foo> | 2 | foo",
                "#{payload.a} | 1 | noparse",
                "a [=payload.a] | 3 | noparse",
                "b [#if payload.a] | 3 | noparse",
            })
    void whatMayNotBeThereIsNamedWithItsPlace(String template, int column, String sentence) {
        TemplateSyntaxError flaw = RenderingFixture.syntaxError("one\n\n" + template);

        if (!template.contains("#ftl")) {
            assertThat(flaw.line()).isEqualTo(3);
        }
        assertThat(flaw.column()).isEqualTo(column);
        assertThat(flaw.sentence()).contains(sentence == null ? "" : sentence);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "${payload.secret?number} | 1 | ",
                "${payload.secret * 2} | 3 | number",
                "${payload.list * 2} | 3 | number",
                "<#if payload.secret>x</#if> | 6 | True or false",
                "<#list payload.secret as x>a</#list> | 8 | list",
                "${payload.secret?keys} | 3 | object",
                "${payload.secret?datetime.iso} | 1 | ",
                "${payload.list?upper_case} | 1 | text",
                "${payload.secret gt 1} | 3 | ",
                "${1 / payload.zero} | 1 | divided by zero",
                "${payload.secret?string('0.0')} | 3 | format needs a number",
                "${payload.secret?datetime} | 1 | no date of this format",
                "${payload.secret?datetime('yyyy')} | 1 | no date of this format",
                "abc ${payload.secret + 1} ${payload.list?join(',')} ${payload.secret?boolean} | 55 | ",
            })
    void aFaultAtRunTimeNamesItsPlaceAndNothingOfThePayload(String template, int column, String sentence) {
        RenderResult.Failed failed = RenderingFixture.failure(
                "one {{secret}}\n<#if true>\n" + template + "</#if>",
                "{\"secret\":\"hunter2\",\"list\":[1],\"zero\":0}");

        assertThat(failed.line()).isEqualTo(3);
        assertThat(failed.column()).isEqualTo(column);
        assertThat(failed.sentence()).contains(sentence == null ? "" : sentence).doesNotContain("hunter2", "__");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "[", " {\"a\":", "!", "-", "payload["})
    void aTemplateNestedTooDeeplyIsRefused(String open) {
        assertThat(TemplateCompiler.compile("${" + open.repeat(8_000) + "1")).isInstanceOf(TemplateSyntaxError.class);
        assertThat(TemplateCompiler.compile("${" + "(".repeat(2_000) + "1" + ")".repeat(2_000) + "}"))
                .isInstanceOf(TemplateSyntaxError.class);
    }

    @Test
    void aNumberThatIsTooLongIsRefused() {
        TemplateSyntaxError flaw = RenderingFixture.syntaxError("one\n${payload.a + " + "9".repeat(2_000) + "}");

        assertThat(flaw.line()).isEqualTo(2);
        assertThat(flaw.column()).isEqualTo(15);
        assertThat(flaw.sentence()).contains("1100 digits");
    }

    @Test
    void aTextThatGrowsTooLongNamesThePlaceholderThatDidIt() {
        RenderResult renderResult = RenderingFixture.template("a\n{{a}} {{b}}")
                .render(RenderingFixture.input("{\"a\":1,\"b\":\"" + "x".repeat(300_000) + "\"}"));

        assertThat(renderResult).isEqualTo(new RenderResult.Failed(2, 7, "The text is longer than 262144 characters."));
    }

    @Test
    void aTemplateThatIsTooLongIsRefused() {
        assertThat(RenderingFixture.syntaxError("x".repeat(33_000)).sentence()).contains("32768");
    }
}
