package dev.postern.mapping.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.it.InputCounter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A fuzz target of templates. An input is a template, a line of {@value #SEPARATOR} and a value. The value is rendered by
 * fixed templates, and by the template.
 */
@Tag("fuzz")
class TemplateFuzz {

    @RegisterExtension
    static final InputCounter INPUTS = new InputCounter("templates and values");

    private static final String SEPARATOR = "====";
    private static final String BUDGET =
            "The template (uses more memory than a template may|ran longer than \\d+ ms)\\.";
    private static final String PLAIN = "{{payload.v}}|{{payload.list[0].v}}";
    private static final String FREEMARKER = "${payload.v}<#list payload.list as item>|${item.v}</#list>";

    @FuzzTest
    void rendersOnlyTheTemplate(byte[] bytes) {
        INPUTS.increment();
        String[] parts = new String(bytes, StandardCharsets.UTF_8).split("\n" + SEPARATOR + "\n", 2);
        String value = parts[parts.length - 1];
        TemplateInput input = input(value);
        if (value.length() < Template.MAX_OUTPUT / 2) {
            assertText(RenderingFixture.template(PLAIN).render(input), value + "|" + value);
            assertText(RenderingFixture.template(FREEMARKER).render(input), value + "|" + value);
        }

        CompileResult compiled = TemplateCompiler.compile(parts[0]);
        if (compiled instanceof TemplateSyntaxError error) {
            assertThat(error.sentence()).isNotBlank();
            return;
        }
        Template template = (Template) compiled;
        assertThat(template.gaps(input)).isNotNull();
        RenderResult result = template.render(input);
        if (result instanceof RenderResult.Text text) {
            assertThat(text.value().length()).isLessThanOrEqualTo(Template.MAX_OUTPUT);
            if (template.isConstant()) {
                assertThat(template.render(input("another"))).isEqualTo(result);
            }
        } else if (result instanceof RenderResult.Failed failed) {
            assertThat(failed.sentence()).isNotBlank();
            assertThat(failed.line()).isPositive();
            assertThat(failed.column()).isPositive();
        }
    }

    /** Asserts the text, unless Jazzer has used up the template's memory or its time with the first use of a class. */
    private static void assertText(RenderResult result, String text) {
        if (!(result instanceof RenderResult.Failed failed && failed.sentence().matches(BUDGET))) {
            assertThat(result).isEqualTo(new RenderResult.Text(text));
        }
    }

    private static TemplateInput input(String value) {
        ObjectNode payload = JsonNodeFactory.instance.objectNode().put("v", value);
        payload.putArray("list").addObject().put("v", value);
        return RenderingFixture.input(payload);
    }
}
