package dev.postern.mapping.template;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
