package dev.postern.mapping.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.time.Instant;
import java.util.Map;

/** A rendering of one template for one request, for tests of three lines. */
final class RenderingFixture {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private RenderingFixture() {}

    static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    static TemplateInput input(String payload) {
        return input(json(payload));
    }

    static TemplateInput input(JsonNode payload) {
        return new TemplateInput(
                payload,
                Map.of("x-event", "push", "user-agent", "test"),
                Map.of("team", "red"),
                "github/push",
                Instant.parse("2026-11-21T10:15:30Z"));
    }

    static Template template(String text) {
        CompileResult compileResult = TemplateCompiler.compile(text);
        assertThat(compileResult).as(text).isInstanceOf(Template.class);
        return (Template) compileResult;
    }

    static TemplateSyntaxError syntaxError(String text) {
        CompileResult compileResult = TemplateCompiler.compile(text);
        assertThat(compileResult).as(text).isInstanceOf(TemplateSyntaxError.class);
        return (TemplateSyntaxError) compileResult;
    }

    static String render(String template, String payload) {
        return render(template, input(payload));
    }

    static String render(String template, TemplateInput input) {
        RenderResult renderResult = template(template).render(input);
        assertThat(renderResult).as(template).isInstanceOf(RenderResult.Text.class);
        return ((RenderResult.Text) renderResult).value();
    }

    static RenderResult.Failed failure(String template, String payload) {
        RenderResult renderResult = template(template).render(input(payload));
        assertThat(renderResult).as(template).isInstanceOf(RenderResult.Failed.class);
        return (RenderResult.Failed) renderResult;
    }
}
