package dev.postern.mapping.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.time.Instant;
import java.util.Map;

/** A template and a request, for tests of three lines. */
final class Rendering {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private Rendering() {}

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
        Compiled compiled = Templates.compile(text);
        assertThat(compiled).as(text).isInstanceOf(Template.class);
        return (Template) compiled;
    }

    static Flawed flaw(String text) {
        Compiled compiled = Templates.compile(text);
        assertThat(compiled).as(text).isInstanceOf(Flawed.class);
        return (Flawed) compiled;
    }

    static String render(String template, String payload) {
        return render(template, input(payload));
    }

    static String render(String template, TemplateInput input) {
        Rendered rendered = template(template).render(input);
        assertThat(rendered).as(template).isInstanceOf(Rendered.Text.class);
        return ((Rendered.Text) rendered).value();
    }

    static Rendered.Failed failure(String template, String payload) {
        Rendered rendered = template(template).render(input(payload));
        assertThat(rendered).as(template).isInstanceOf(Rendered.Failed.class);
        return (Rendered.Failed) rendered;
    }
}
