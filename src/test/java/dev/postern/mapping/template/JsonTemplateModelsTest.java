package dev.postern.mapping.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A test that values are as they were sent, and that absent ones are missing. */
class JsonTemplateModelsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "payload.a.b.c",
                "payload.a.b.c.d.e",
                "payload.missing",
                "payload.n",
                "payload.n.x",
                "payload.text.x.y",
                "payload.num.x",
                "payload.yes.x",
                "payload.list[9]",
                "payload.list[9].x",
                "payload.list[-1]",
                "payload.list['x']",
                "payload.list[payload.text]",
                "payload[0]",
                "payload.a[0].x",
                "payload.num[0]",
                "payload.text[7]",
                "payload.list.x",
                "payload.list[0].x.y",
                "payload[payload.missing]",
                "payload.list[payload.missing]",
                "payload.list?first.x",
                "payload.none?first.x.y",
                "payload.missing?upper_case",
                "payload.missing?trim?number",
                "payload.missing?string('0.00')",
                "payload.missing?string('yes', 'no')",
                "payload.missing?map(x -> x.y)?join(', ')",
                "payload.missing?replace('a', 'b')",
                "payload.missing?sort_by('x')?size",
                "payload.missing?left_pad(5)",
                "payload.missing[0..2]",
                "payload.missing + payload.absent",
                "payload.missing!",
                "(payload.a.b.c)!",
                "payload.missing?number_to_datetime?iso_utc",
                "headers.absent",
                "query.absent",
                "item.x",
                "typo.x.y"
            })
    void aMissingValueIsEmpty(String path) {
        String payload = "{\"a\":{},\"n\":null,\"text\":\"t\",\"num\":1,\"yes\":true,\"list\":[{\"k\":1}],\"none\":[]}";

        assertThat(RenderingFixture.render("[${" + path + "}]", payload)).isEqualTo("[]");
    }

    @ParameterizedTest(name = "{0} gives [{1}]")
    @CsvSource(
            delimiter = '|',
            value = {
                "${payload.a.b.c!'other'} | other",
                "${(payload.a.b.c)!'other'} | other",
                "${payload.n!'other'} | other",
                "<#if payload.a.b??>yes<#else>no</#if> | no",
                "<#if payload.a??>yes<#else>no</#if> | yes",
                "<#if payload.draft>yes<#else>no</#if> | no",
                "<#if !payload.draft>yes<#else>no</#if> | yes",
                "<#if payload.a.b.c == 'x'>yes<#else>no</#if> | no",
                "<#if payload.count gt 3>yes<#else>no</#if> | no",
                "<#if payload.labels?size gt 0>yes<#else>no</#if> | no",
                "<#if payload.labels?has_content>yes<#else>no</#if> | no",
                "<#list payload.labels as l>${l}<#else>none</#list> | none",
                "<#list payload.labels?filter(l -> l.x) as l>${l}<#else>none</#list> | none",
                "<#assign u = payload.user><#if u??>yes<#else>no</#if>${u.name}${u.name!'anon'} | noanon",
                "${payload.draft?then('draft', 'ready')} | ready",
                "${payload.a.b?has_content?then('some', 'none')} | none",
                "PR ${'by ' + payload.user.name} | PR by",
                "${'x' + payload.a} | x{}",
                "<#switch payload.kind><#case 'a'>A<#break><#default>other</#switch> | other",
                "<#list payload.mixed as m>${m}<#sep>,</#list> | 1,,x",
                "${payload.mixed?join('-')} | 1-x",
            })
    void aMissingValueIsEmptyWhereItIsAskedFor(String template, String expected) {
        assertThat(RenderingFixture.render(template, "{\"a\":{},\"n\":null,\"mixed\":[1,null,\"x\"]}")
                        .strip())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "1.10, 1.10",
        "12345678901234567890, 12345678901234567890",
        "123456789012345678901234567890.123456789012345678901234567890, 123456789012345678901234567890.123456789012345678901234567890",
        "0.1, 0.1",
        "1000000, 1000000",
        "0.0000000001, 0.0000000001",
        "1e5, 100000",
        "-0, 0",
        "-12.50, -12.50",
        "1E999999999, 1E+999999999",
        "1E-999999999, 1E-999999999"
    })
    void numbersAreShownAsTheyWereSent(String sent, String shown) {
        String payload = "{\"x\":" + sent + "}";

        assertThat(RenderingFixture.render("{{x}}", payload)).isEqualTo(shown);
        assertThat(RenderingFixture.render("${payload.x}", payload)).isEqualTo(shown);
        assertThat(RenderingFixture.render("${'' + payload.x}", payload)).isEqualTo(shown);
        assertThat(RenderingFixture.render("${payload}", payload)).isEqualTo("{\"x\":" + shown + "}");
        assertThat(RenderingFixture.render("{{payload}}", payload)).isEqualTo("{\"x\":" + shown + "}");
    }

    @Test
    void aLongNumberHasNoExponentThatWasNotSent() {
        assertThat(RenderingFixture.render("{{x}}${payload.x}", "{\"x\":1E400}"))
                .isEqualTo(("1" + "0".repeat(400)).repeat(2));
    }

    @Test
    void aNumberThatKnowsItsOwnTextIsShownByIt() {
        class Sent extends DecimalNode {
            Sent() {
                super(new BigDecimal("1e5"));
            }

            @Override
            public String asText() {
                return "1e5";
            }
        }
        TemplateInput input =
                RenderingFixture.input(JsonNodeFactory.instance.objectNode().set("x", new Sent()));

        assertThat(RenderingFixture.render("{{x}} ${payload.x} ${payload} ${payload.x + 1}", input))
                .isEqualTo("1e5 1e5 {\"x\":1e5} 100001");
    }

    @ParameterizedTest(name = "{0} gives [{1}]")
    @CsvSource(
            delimiter = '|',
            value = {
                "${payload.x + 1} | 2.10",
                "${payload.x * 3} | 3.30",
                "${7 / 2} ${10 / 5} ${100 / 10} ${payload.x / 2} ${1 / 3} | 3.5 2 10 0.55 0.333333333333",
                "${payload.big + 1} | 12345678901234567891",
                "${payload.x?string('0.000')} | 1.100",
                "${payload.big?c} | 12345678901234567890",
                "<#if payload.x == 1.1>same</#if> | same",
                "${payload.x == '1.10'} ${payload.o == 'x'} ${payload.s != 'abcdef'} ${payload.s == 'ABCDEF'} | false false false false",
                "${payload.ligature == 'fi'} ${payload.missing == ''} ${payload.yes == true} ${payload.missing != payload.s} | false true true true",
                "${payload.yes} ${payload.no} ${payload.yes == payload.no} | true false false",
                "${payload.yes?string('on', 'off')} | on",
                "${payload.o} | {\"size\":3,\"x-id\":\"d\",\"a\":[1,{\"b\":null}],\"s\":\"q\\\"/é\"}",
                "${payload.o.size} ${payload.o[\"x-id\"]} ${payload.o?size} | 3 d 4",
                "${payload.o.a} | [1,{\"b\":null}]",
                "<#assign z = [1, 'a', payload.o.a, {'k': payload.x}]>${z} | [1,\"a\",[1,{\"b\":null}],{\"k\":1.10}]",
                "${payload.words?map(w -> w?upper_case)?join('+')} | ANN+BO+CY",
                "${payload.words?filter(w -> w?length gt 2)} | [\"ann\"]",
                "${payload.words?reverse?first} ${payload.words?last} | cy cy",
                "${payload.words?sort?join(',')} ${payload.objs?sort_by('k')?map(o -> o.k)?join(',')} | ann,bo,cy 1,2,10",
                "${payload.words?seq_contains('bo')} ${payload.words?seq_contains('x')} | true false",
                "${payload.s[0..2]};${payload.s[2..]};${payload.s[0..*2]};${payload.s[0..<1]};${payload.s[0..99]};${payload.s[50..]} | abc;cdef;ab;a;abcdef;",
                "${payload.words[1]} ${payload.s[1]} ${payload['s']} ${payload.o[payload.key]} ${payload.words[payload.one - 1]} | bo b abcdef 3 ann",
                "${payload.words[1..]} ${payload.words[0..*9]?size} | [\"bo\",\"cy\"] 3",
                "<#list 1..3 as i>${i}</#list><#list 3..1 as i>${i}</#list><#list 0..<2 as i>${i}</#list> | 12332101",
                "${payload.s?replace('b', '[$1]')} ${payload.s?left_pad(8, '*')} ${payload.s?right_pad(8)}. | a[$1]cdef **abcdef abcdef  .",
                "${payload.s?contains('cd')?then('in', 'out')} ${payload.s?index_of('d')} | in 3",
                "${'a ${payload.s} ${payload.o.a[0]} ${payload.missing}b'} | a abcdef 1 b",
                "${payload.time?datetime.iso?string('dd.MM.yyyy')} ${(payload.unix * 1000)?number_to_datetime?iso_utc} | 21.11.2026 2026-11-21T10:15:30Z",
                "${now?datetime.iso?string('HH:mm')} <#assign d = payload.time?datetime.iso>${d} ${d?string['yyyy']} | 10:15 2026-11-21T10:15:30Z 2026",
                "${'at ' + now?datetime.iso} ${\"at ${now?date('yyyy-MM-dd')}\"} ${[now?datetime.iso]?join(',')?keep_before('T')} | at 2026-11-21T10:15:30Z at 2026-11-21 2026-11-21",
                "<#assign l = [now?datetime.iso]>${l} ${l?first?replace('T', ' ')} | [\"2026-11-21T10:15:30Z\"] 2026-11-21 10:15:30Z",
                "${now} ${path} ${query.team} ${headers['x-event']} ${headers['X-Event']} | 2026-11-21T10:15:30Z github/push red push push",
                "<#list payload.o as k, v>${k}=${v};</#list> | size=3;x-id=d;a=[1,{\"b\":null}];s=q\"/é;",
                "${headers?keys?sort?join(',')} ${headers?size} <#list headers?keys?sort as k>${headers[k]};</#list> | user-agent,x-event 2 test;push;",
                "<#list payload.words><#items as w>${w?counter}${w}<#sep>, </#items></#list> | 1ann, 2bo, 3cy",
                "<#assign n = 0><#list payload.words as w><#assign n = n + 1></#list>${n} | 3",
                "<#switch payload.s><#on 'x', 'abcdef'>hit<#default>miss</#switch> | hit",
                "<#switch payload.one><#case '1'>text<#break><#case 1>one<#case 2>two<#break><#default>none</#switch> | onetwo",
                "<#switch payload.ligature><#case 'fi'>alike<#break><#default>other</#switch> | other",
                "<#list payload.words as w><#switch w><#case 'bo'><#switch w?length><#case 2>2</#switch><#break><#default>-</#switch></#list> | -2-",
                "${payload.s?switch('x', 1, 'abcdef', 2, 3)} ${payload.one?switch('1', 'a', 'b')} ${payload.ligature?switch('fi', 1, 2)} | 2 b 2",
                "${payload.s?switch('x', 1 / 0, 'abcdef', 2)} | 2",
                "<#assign a = 1 b = a + 1>${a}${b} | 12",
                "${payload.words?join(', ', 'none', '.')} ${payload.none?join(', ', 'none', '.')}. | ann, bo, cy. .",
                "${[]?join(', ', 'none', '.')} ${payload.s?ensure_starts_with('ab')}${payload.s?ensure_ends_with('!')} | none abcdefabcdef!",
                "${payload.s?index_of('')} ${payload.s?last_index_of('')} ${payload.s?index_of('e', 5)} ${payload.s?last_index_of('b', 0)} | 0 6 -1 -1",
                "${payload.s?split('')?join('.')} ${''?split(',')?size} ${'a,,b,'?split(',')?size} ${payload.s?split('zz')?size} | a.b.c.d.e.f 1 4 1",
                "${'a/b/c'?keep_before('/')} ${'a/b/c'?keep_before_last('/')} ${'a/b/c'?keep_after('/')} ${'a/b/c'?keep_after_last('/')} | a a/b b/c c",
                "${payload.s?keep_before('z')} [${payload.s?keep_after('z')}] ${' a  b '?word_list?join('+')} | abcdef [] a+b",
                "<#compress>  a   b  </#compress> | a b",
                "a<#-- ${nothing} -->b ${r'${x}'} ${'<#if>'} | ab ${x} <#if>",
                "${payload.o?keys?join(',')} | size,x-id,a,s",
                "${'one two three'?truncate(12)} ${payload.s?cap_first} ${'a,b'?split(',')?join(';')} | one [...] Abcdef a;b",
                "<#list payload.words as w><#if w == 'bo'><#continue></#if>${w}</#list> | anncy",
            })
    void expressionsWorkAsInFreeMarker(String template, String expected) {
        String payload =
                """
                {"x": 1.10, "big": 12345678901234567890, "yes": true, "no": false, "s": "abcdef",
                 "o": {"size": 3, "x-id": "d", "a": [1, {"b": null}], "s": "q\\"/é"},
                 "words": ["ann", "bo", "cy"], "objs": [{"k": 10}, {"k": 2}, {"k": 1}],
                 "ligature": "ﬁ", "key": "size", "one": 1, "time": "2026-11-21T10:15:30Z", "unix": 1795256130}""";

        assertThat(RenderingFixture.render(template, payload)).isEqualTo(expected);
    }

    @Test
    void textOfThePayloadIsNeverRead() {
        String evil = "${now} {{now}} <#if> <#assign x=1> #{1} ${{now}} [=now] [#if]";
        TemplateInput input = RenderingFixture.input(
                JsonNodeFactory.instance.objectNode().put("t", evil).put("k", "t"));

        assertThat(RenderingFixture.render(
                        "{{t}}|${payload.t}|${'' + payload.t}|${\"${payload.t}\"}|${payload[payload.k]}", input))
                .isEqualTo(String.join("|", evil, evil, evil, evil, evil));
        assertThat(RenderingFixture.render("<#assign a = payload.t><#list [a, a] as b>${b}</#list>${a?trim}", input))
                .isEqualTo(evil.repeat(3));
    }

    @Test
    void whiteSpaceOfDirectivesIsLeftOut() {
        assertThat(RenderingFixture.render("a\n<#if true>\n  b {{x}}\n</#if>\n\nc\r\n", "{\"x\":1}"))
                .isEqualTo("a\n  b 1\n\nc\r\n");
    }

    @Test
    void anyJsonIsAPayload() {
        assertThat(RenderingFixture.render("{{payload}}|${payload}|{{a}}${payload.a}", "[1,\"x\"]"))
                .isEqualTo("[1,\"x\"]|[1,\"x\"]|");
        assertThat(RenderingFixture.render("{{payload}}|${payload}|{{a}}${payload.a}", "\"x\""))
                .isEqualTo("x|x|");
        assertThat(RenderingFixture.render("{{payload}}|${payload}", "null")).isEqualTo("|");
    }
}
