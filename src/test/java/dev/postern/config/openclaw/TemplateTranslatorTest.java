package dev.postern.config.openclaw;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.postern.mapping.template.RenderResult;
import dev.postern.mapping.template.Template;
import dev.postern.mapping.template.TemplateCompiler;
import dev.postern.mapping.template.TemplateInput;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A test that translated templates render in Postern as the originals do in OpenClaw. */
class TemplateTranslatorTest {

    private static final String PAYLOAD =
            "{\"n\": 7, \"rows\": [{\"id\": 1, \"a b\": \"x\"}, {\"id\": 2}], \"item\": {\"id\": \"own\"}, \"index\": 9}";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "costs ${n} and ${payload.n?eval}",
                "<#assign x=1><#if true>y</#if><#-- no comment -->",
                "<@macro/> </@macro> </#if>",
                "#{n} [=n] [#if true]x[/#if] [@m] [/@m]",
                "$ $$ ${ #{ < # [ = <# [= \\${n} \"${'a'}\"",
                "<#noparse>${n}</#noparse>",
                "<#ftl output_format=\"HTML\">",
                "{\"json\": {\"a\": [1, 2]}}"
            })
    void keepsWhatOpenClawLeavesAsItIs(String text) throws JsonProcessingException {
        assertThat(rendered(new TemplateTranslator(null), text, -1)).isEqualTo(text);
        assertThat(rendered(new TemplateTranslator("rows"), text, 0)).isEqualTo(text);
    }

    @Test
    void keepsADollarBeforeAPlaceholder() throws JsonProcessingException {
        assertThat(rendered(new TemplateTranslator(null), "${{n}} #{{n}} <{{n}}#", -1))
                .isEqualTo("$7 #7 <7#");
    }

    /** The values are those of OpenClaw 2026.9.6, whose payload has a list of the one element in place of {@code rows}. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{{rows[0].id}}|2",
                "{{ payload.rows[0].id }}|2",
                "{{rows.0.id}}|2",
                "{{rows[0]}}|{\"id\":2}",
                "{{rows}}|[{\"id\":2}]",
                "{{rows[0].a b}}x|x",
                "{{n}} {{item.id}} {{index}}|7 own 9",
                "{{payload.item.id}}|own",
                "{{rowsize}}x|x"
            })
    void takesTheElementForTheListOfIt(String template, String expected) throws JsonProcessingException {
        assertThat(rendered(new TemplateTranslator("rows"), template, 1)).isEqualTo(expected);
    }

    @Test
    void translatesALongTextInTimeThatGrowsWithIt() throws JsonProcessingException {
        String text = "{{".repeat(4_000) + " ".repeat(20_000);

        assertThat(new TemplateTranslator("rows").translate(text)).isEqualTo(text);
    }

    private static String rendered(TemplateTranslator translator, String template, int element)
            throws JsonProcessingException {
        Template compiled = (Template) TemplateCompiler.compile(translator.translate(template));
        JsonNode payload = new JsonMapper().readTree(PAYLOAD);
        TemplateInput input = new TemplateInput(payload, Map.of(), Map.of(), "p", Instant.EPOCH);
        RenderResult result = compiled.render(
                element < 0 ? input : input.forItem(payload.get("rows").get(element), element));
        return ((RenderResult.Text) result).value();
    }
}
