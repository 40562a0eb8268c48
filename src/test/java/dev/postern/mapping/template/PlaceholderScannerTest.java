package dev.postern.mapping.template;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of the {@code {{placeholders}}} of other systems. */
class PlaceholderScannerTest {

    private static final String PAYLOAD =
            """
            {"a": {"b": "deep", "x-id": "dashed", "c d": "spaced", "n": null, "t": true, "f": false,
                   "list": [{"b": "first"}, {"b": "second"}], "empty": {}},
             "n": 1.50, "size": 9, "item": {"x": "own item"}, "path": {"x": "own path"}, "text": "{{now}} ${now}",
             "a.b": "dotted", "messages": [{"from": "ann", "tags": ["x", "y"]}]}""";

    @ParameterizedTest(name = "{0} gives [{1}]")
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "{{payload.a.b}} | deep",
                "{{a.b}} | deep",
                "{{ a.b }} | deep",
                "{{messages[0].from}} | ann",
                "{{payload.messages[0].tags[1]}} | y",
                "{{messages.0.from}} | ann",
                "{{messages.length}} | 1",
                "{{a.list[1].b}} | second",
                "{{a.x-id}} | dashed",
                "{{a[\"c d\"]}} | spaced",
                "{{payload['a']['x-id']}} | dashed",
                "{{payload[\"a.b\"]}} | dotted",
                "{{n}} | 1.50",
                "{{a.t}}/{{a.f}} | true/false",
                "{{messages[0]}} | {\"from\":\"ann\",\"tags\":[\"x\",\"y\"]}",
                "{{a.list}} | [{\"b\":\"first\"},{\"b\":\"second\"}]",
                "{{a.empty}} | {}",
                "{{headers.x-event}} | push",
                "{{headers.X-Event}} | push",
                "{{query.team}} | red",
                "{{path}} | github/push",
                "{{path.x}} | own path",
                "{{now}} | 2026-11-21T10:15:30Z",
                "{{item.x}} | own item",
                "{{size}} | 9",
                "${{n}} | $1.50",
                "#{{size}} [#{{size}}] | #9 [#9]",
                "{{text}} | {{now}} ${now}",
                "$5 {a} #1 | $5 {a} #1"
            })
    void areFilledAsElsewhere(String template, String expected) {
        assertThat(RenderingFixture.render(template, PAYLOAD)).isEqualTo(expected);
        assertThat(RenderingFixture.render(template + "${payload.size}", PAYLOAD))
                .isEqualTo(expected + "9");
    }

    @ParameterizedTest
    @CsvSource({
        "{{missing}}",
        "{{a.missing.deeper}}",
        "{{a.b.c}}",
        "{{a.n}}",
        "{{a.n.x}}",
        "{{messages[7].from}}",
        "{{messages[999999999].from}}",
        "{{a[0]}}",
        "{{n[0]}}",
        "{{headers.absent}}",
        "{{query.absent.x}}",
        "{{index}}",
        "{{constructor}}",
        "{{__proto__.x}}"
    })
    void areEmptyWhereThereIsNothing(String template) {
        assertThat(RenderingFixture.render(template, PAYLOAD)).isEmpty();
    }

    /** Each result is that of OpenClaw 2026.9.6 for the same template and payload. */
    @ParameterizedTest(name = "{0} gives [{1}]")
    @CsvSource(
            delimiter = '~',
            ignoreLeadingAndTrailingWhitespace = false,
            emptyValue = "",
            value = {
                "{{a b}}~two words",
                "{{ a b }}~two words",
                "{{payload.a b}}~two words",
                "{{a b.c/d}}~''",
                "{{x y.c/d.é ü}}~deep",
                "{{x y.list[1].a b}}~second",
                "{{x y.list.1.a b}}~second",
                "{{x y[list][1][a b]}}~second",
                "{{x y..list[0]}}~{\"a b\":\"first\"}",
                "{{.a b}}~two words",
                "{{a b.}}~two words",
                "{{#if a b}}~''",
                "{{#odd}}~field called #odd",
                "{{$ref?}}~what",
                "{{a | upper}}~''",
                "{{> partial}}~''",
                "{{ }}~''",
                "{{payload.}}~''",
                "{{{a b}}}~}",
                "{{{{a b}}}}~}}",
                "{{a{{b}}~''",
                "{{headers.x y}}~''",
                "{{headers.}}~''",
                "{{a⏎b}}~broken line",
                "{{}}~{{}}",
                "{{a b}~{{a b}",
                "{{a}b}}~{{a}b}}",
                "{{a}b{{a b}}~{{a}btwo words",
                "{{a b~{{a b",
                "{{a[}}~''",
                "{{x y[list][1]~{{x y[list][1]",
                "{ {a b}}~{ {a b}}"
            })
    void takeNamesThatAreNoWords(String template, String expected) {
        String payload =
                """
                {"a b": "two words", "x y": {"list": [{"a b": "first"}, {"a b": "second"}], "c/d": {"é ü": "deep"}},
                 "#odd": "field called #odd", "$ref?": "what", "a\\nb": "broken line"}""";
        String written = template.replace('⏎', '\n');

        assertThat(RenderingFixture.render(written, payload)).isEqualTo(expected);
        assertThat(RenderingFixture.render(written + " <#if true>x</#if>", payload))
                .isEqualTo(expected + " x");
    }

    @Test
    void takeALoneDotForThePayload() {
        assertThat(RenderingFixture.render("{{.}}", "{\"a\":[1]}")).isEqualTo("{\"a\":[1]}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{\"freemarker.template.utility.Execute\"?new()(\"id\")}}",
                "{{payload?api.class}}",
                "{{.data_model}}",
                "{{.globals.x}}",
                "{{a?eval}}",
                "{{a!payload?keys?join(',')}}",
                "{{../../etc/passwd}}",
                "{{__proto__.constructor.name}}",
                "{{constructor.constructor('return 1')()}}",
                "{{headers[authorization]}}",
                "{{payload.a.b\0c}}",
                "{{7*7}}",
                "{{a.b.class.forName(x)}}"
            })
    void neverEvaluateAName(String template) {
        assertThat(RenderingFixture.render(template, PAYLOAD)).isEmpty();
        assertThat(RenderingFixture.render(template + "<#if true></#if>", PAYLOAD))
                .isEmpty();
    }

    @Test
    void leaveWhatAFieldHoldsUnread() {
        String payload = "{\"a b\": \"${7*7} <#if true>x</#if> {{x y}} #{1}\", \"x y\": 1}";

        assertThat(RenderingFixture.render("{{a b}}|${now?length}", payload))
                .isEqualTo("${7*7} <#if true>x</#if> {{x y}} #{1}|20");
    }

    @Test
    void seeTheElementOfAFanOut() {
        TemplateInput input = RenderingFixture.input(PAYLOAD).forItem(RenderingFixture.json("{\"x\":\"element\"}"), 4);

        assertThat(RenderingFixture.render("{{index}} {{item.x}} ${index} ${item.x}", input))
                .isEqualTo("4 element 4 element");
    }

    @Test
    void areNotReadInNoparse() {
        assertThat(RenderingFixture.render("<#noparse>{{n}} ${n} <#if></#noparse>{{n}}", PAYLOAD))
                .isEqualTo("{{n}} ${n} <#if>1.50");
    }

    @Test
    void areNoStringsOfExpressions() {
        assertThat(RenderingFixture.render("${\"{{n}} ${{n}}\"}", PAYLOAD)).isEqualTo("{{n}} ${{n}}");
    }

    @Test
    void workInsideConditionsAndLoops() {
        assertThat(RenderingFixture.render(
                        "<#list payload.messages as m><#if m.from == 'ann'>{{n}}:${m.from}</#if></#list>", PAYLOAD))
                .isEqualTo("1.50:ann");
    }
}
