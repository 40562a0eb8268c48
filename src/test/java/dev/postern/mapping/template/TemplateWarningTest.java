package dev.postern.mapping.template;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of the warnings at start about text that looks like something that it isn't. */
class TemplateWarningTest {

    @ParameterizedTest
    @ValueSource(strings = {"{{}}", "{{ a }", "{{a", "{{a}b"})
    void whatIsNoPlaceholderStaysAsItIsAndIsNamed(String text) {
        assertThat(RenderingFixture.render("ok\n  " + text, "{\"a\":1}")).isEqualTo("ok\n  " + text);
        assertNamed(text, "stays as it is");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{#if a}}",
                "{{/if}}",
                "{{{raw}}",
                "{{a | upper}}",
                "{{ }}",
                "{{a..b}}",
                "{{a[x]}}",
                "{{a[}}",
                "{{.Values.x}}",
                "{{> partial}}",
                "{{a[\"b]}}",
                "{{a[1][}}",
                "{{if a}}",
                "{{else if a}}",
                "{{range items}}",
                "{{a  b}}",
                "{{a b .c}}",
                "{{a{{b}}"
            })
    void aPlaceholderThatLooksLikeAnotherLanguageIsNamed(String text) {
        assertNamed(text, "is read as the name of a field");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{{a b}}", "{{payload.first name}}", "{{x y.list[0].a b}}", "{{a/b}}", "{{été ü.x}}"})
    void aNameOfSeveralWordsIsNotNamed(String text) {
        assertThat(RenderingFixture.template(text).warnings()).isEmpty();
    }

    private static void assertNamed(String text, String sentence) {
        assertThat(RenderingFixture.template("ok\n  " + text).warnings())
                .singleElement()
                .satisfies(templateWarning -> {
                    assertThat(templateWarning.line()).isEqualTo(2);
                    assertThat(templateWarning.column()).isEqualTo(3);
                    assertThat(templateWarning.sentence()).contains(sentence);
                });
    }

    @Test
    void aDollarBeforeAPlaceholderIsNamed() {
        assertThat(RenderingFixture.template("costs ${{amount}}").warnings())
                .singleElement()
                .satisfies(templateWarning ->
                        assertThat(templateWarning.sentence()).contains("dollar sign"));
    }

    @Test
    void aPlaceholderInsideAnExpressionIsNamed() {
        assertThat(RenderingFixture.template("<#if payload.a == '{{b}}'>x</#if>")
                        .warnings())
                .singleElement()
                .satisfies(
                        templateWarning -> assertThat(templateWarning.column()).isEqualTo(19));
    }

    @Test
    void aNameThatTemplatesDoNotHaveIsNamed() {
        assertThat(RenderingFixture.template("x\n ${paylod.title}").warnings())
                .singleElement()
                .satisfies(templateWarning -> {
                    assertThat(templateWarning.line()).isEqualTo(2);
                    assertThat(templateWarning.column()).isEqualTo(4);
                    assertThat(templateWarning.sentence()).contains("paylod");
                });
    }

    @Test
    void ordinaryTemplatesLeaveNoDoubt() {
        assertThat(RenderingFixture.template(
                                "<#list payload.a as x>${x?index} ${x_index}${x.b!'none'}<#sep>, </#list> {{a.b}} {x} $5 "
                                        + "${payload.a?map(y -> y.b)?join(', ')}<#assign z = 1>${z}")
                        .warnings())
                .isEmpty();
    }

    @Test
    void gapsAreThePlacesWithoutAValue() {
        Template template = RenderingFixture.template(
                "{{a}} {{b.c}}\n<#if payload.x??>no</#if><#if payload.z == 1>no</#if>${payload.d.e}${payload.y?has_content?c}${payload.a!'-'}");

        assertThat(template.gaps(RenderingFixture.input("{\"a\":1}")))
                .containsExactly(
                        new MissingValue("b.c", 1, 7, true),
                        new MissingValue("payload.z", 2, 31, false),
                        new MissingValue("payload.d.e", 2, 56, true));
        assertThat(template.gaps(RenderingFixture.input("{\"a\":1,\"b\":{\"c\":2},\"d\":{\"e\":0},\"z\":2}")))
                .isEmpty();
    }

    @Test
    void onlyTextAloneIsConstant() {
        assertThat(RenderingFixture.template("plain $5 text").isConstant()).isTrue();
        assertThat(RenderingFixture.template("").isConstant()).isTrue();
        assertThat(RenderingFixture.template("{{a}}").isConstant()).isFalse();
        assertThat(RenderingFixture.template("${payload.a}").isConstant()).isFalse();
        assertThat(RenderingFixture.template("<#if true>x</#if>").isConstant()).isFalse();
    }
}
